import type { DryRun } from '../flags.ts';
import type { DrainOptionFlags } from './drainFlags.ts';
import type { StateFlags } from '../stateRequest.ts';

/** The flags of a drain. */
export interface DrainFlags extends StateFlags, DrainOptionFlags {
  selector?: string | undefined;
  'dry-run': DryRun;
  report?: string | undefined;
  out?: string | undefined;
  record?: string | undefined;
  plan?: string | undefined;
  cancel?: boolean | undefined;
  yes?: boolean | undefined;
  wait?: boolean | undefined;
  timeout?: string | undefined;
  progress?: string | undefined;
  'ready-after'?: string | undefined;
  output?: string | undefined;
  'no-headers'?: boolean | undefined;
}
