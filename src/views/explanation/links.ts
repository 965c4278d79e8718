import type { LinkState } from '../../engine/explanation/links/link.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import type { TextOptions } from '../answer.ts';
import { evidenceText } from '../evidence.ts';
import type { Style } from '../style.ts';

/** The links of the chain; where a failure is played through, only those that are not as one expects. */
export function linksText(
  { links, failures, binding }: WorkloadExplanation,
  { style, wide }: TextOptions,
): string {
  const all = wide || failures.length === 0;
  const shown = all ? links : links.filter(({ state }) => state !== 'holds');
  if (shown.length === 0) return '';
  const title = all ? 'What has to hold for it to leave a cluster that fails:' : 'Worth knowing:';
  const lines = shown.flatMap((link) => [
    `  ${mark(link.state, style)} ${link.text}`,
    ...(link.fix ? [`      ${style.faint(`→ ${link.fix}`)}`] : []),
    ...(wide ? link.evidence.map((one) => `      ${evidenceText(one, binding, style)}`) : []),
  ]);
  return [style.strong(title), ...lines].join('\n');
}

function mark(state: LinkState, style: Style): string {
  const marks: Record<LinkState, string> = {
    holds: style.good('✓'),
    limits: style.warn('!'),
    broken: style.bad('✗'),
    unknown: style.warn('?'),
  };
  return marks[state];
}
