import type { SourcePlace } from '../../analysis/findings/finding.ts';
import { visible } from '../../presentation/visible.ts';

/** "policy.yaml:3:5" */
export function formatPlace({ file, line, column }: SourcePlace): string {
  return `${visible(file)}:${line}:${column}`;
}
