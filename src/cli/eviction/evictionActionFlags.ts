import * as Flags from '@oclif/core/flags';
import { dryRunFlag, outputFlags, selectionFlags, stateFlags } from '../flags.ts';

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
    'write nothing: print the changes (client), or also have the API server check them (server)',
  ),
  output: outputFlags.output,
  limit: outputFlags.limit,
  ...stateFlags,
};

/** The flags of an action that cannot lose a copy. */
export const evictionActionFlags = { ...targetFlags, ...generalFlags };

/** The flags of an action that can lose a copy. */
export const riskyEvictionActionFlags = {
  ...targetFlags,
  'allow-loss': Flags.boolean({ summary: 'proceed even if no ready copy may remain' }),
  ...generalFlags,
};
