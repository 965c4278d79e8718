import * as Flags from '@oclif/core/flags';
import { dryRunFlag, type DryRun } from '../dryRun.ts';
import { outputFlags, selectionFlags, stateFlags } from '../flags.ts';
import type { PrintFlags } from '../print.ts';
import type { SelectionFlags } from '../selection.ts';
import type { StateFlags } from '../stateRequest.ts';

const targetFlags = {
  from: Flags.string({
    summary: 'the cluster that is being left; not needed where a workload leaves only one',
    helpValue: 'CLUSTER',
  }),
  all: Flags.boolean({ summary: 'every workload that is being evicted from --from CLUSTER' }),
  ...selectionFlags,
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'with --all or a selector: in all namespaces',
  }),
};
const generalFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would come of it (client), and ask the API server, too (server)',
  ),
  output: outputFlags.output,
  ...stateFlags,
};

/** The flags of what can never lose a copy. */
export const evictionActionFlags = { ...targetFlags, ...generalFlags };

/** Those of what can. */
export const riskyEvictionActionFlags = {
  ...targetFlags,
  'allow-loss': Flags.boolean({ summary: 'go on even if no ready copy may be left' }),
  ...generalFlags,
};

export interface EvictionActionFlags extends StateFlags, SelectionFlags, PrintFlags {
  from?: string | undefined;
  all?: boolean | undefined;
  'all-namespaces'?: boolean | undefined;
  'allow-loss'?: boolean | undefined;
  'dry-run': DryRun;
}
