import * as Flags from '@oclif/core/flags';
import { DRY_RUNS } from '../dryRun.ts';
import { outputFlags, stateFlags } from '../flags.ts';
import { RISKS } from './toldRisks.ts';

/** What commands take that change ClusterTaintPolicies. */
export const changeFlags = {
  'dry-run': Flags.option({
    summary: 'write nothing: say what would be done (client), and have the API server check it, too (server)',
    options: DRY_RUNS,
    default: 'none',
    helpValue: 'none|client|server',
  })(),
  accept: Flags.string({
    summary: 'go on in spite of this risk, by the name that is printed for it; several with commas',
    helpValue: 'RISK',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: RISKS,
  }),
  'with-taints': Flags.boolean({
    summary: 'take away what is left behind of the taints that the policies put there, too',
  }),
  yes: Flags.boolean({ char: 'y', summary: 'do not ask; risks have to be accepted all the same' }),
  'save-state': Flags.string({
    summary: 'on --state: write the state after the change to a file, which --state takes',
    helpValue: 'FILE',
    dependsOn: ['state'],
  }),
  ...stateFlags,
  ...outputFlags,
};

/** How long --wait waits. */
export const waitFlags = {
  wait: Flags.boolean({ summary: 'wait until the taints are as said, or say why they are not' }),
  timeout: Flags.string({ summary: 'how long to wait; default 1m', helpValue: 'DURATION' }),
};
