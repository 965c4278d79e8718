import * as Flags from '@oclif/core/flags';
import { dryRunFlag, type DryRun } from '../dryRun.ts';
import { outputFlags, selectionFlags, stateFlags } from '../flags.ts';
import type { PrintFlags } from '../print.ts';
import type { SelectionFlags } from '../selection.ts';
import type { StateFlags } from '../stateRequest.ts';

const targetFlags = {
  from: Flags.string({
    summary: 'the cluster that the workload leaves; needed only if it leaves several',
    helpValue: 'CLUSTER',
  }),
  all: Flags.boolean({ summary: 'every workload that is being evicted from the cluster of --from' }),
  ...selectionFlags,
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'all namespaces; for --all or a selector',
  }),
};
const generalFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would happen (client), or also have the API server check it (server)',
  ),
  output: outputFlags.output,
  ...stateFlags,
};

/** The flags of an action that can never lose a copy. */
export const evictionActionFlags = { ...targetFlags, ...generalFlags };

/** The flags of an action that can. */
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
