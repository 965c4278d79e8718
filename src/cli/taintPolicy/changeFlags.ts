import * as Flags from '@oclif/core/flags';
import { dryRunFlag, outputFlags, stateFlags } from '../flags.ts';
import { UserError } from '../errors.ts';
import { RISKS } from './reportedRisks.ts';

/** The flags of commands that change ClusterTaintPolicies. */
export const changeFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would be done (client), or also have the API server check it (server)',
  ),
  accept: Flags.string({
    summary: 'accept this risk, by its printed name; comma-separated',
    helpValue: 'RISK',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: RISKS,
  }),
  'with-taints': Flags.boolean({
    summary: 'also remove the taints that the policies set and would leave behind',
  }),
  yes: Flags.boolean({ char: 'y', summary: 'do not ask; risks still need --accept' }),
  'save-state': Flags.string({
    summary: 'with --state: write the state after the change to a file, for --state',
    helpValue: 'FILE',
  }),
  ...stateFlags,
  ...outputFlags,
};

/** Throws a UserError for conflicting flags, before reading anything. */
export function checkChangeFlags(flags: {
  'save-state'?: string | undefined;
  state?: string[] | undefined;
}): void {
  if (flags['save-state'] !== undefined && !flags.state?.length)
    throw new UserError(
      '--save-state writes a captured control plane after the change, and needs --state; save a live one with snapshot save first',
    );
}

/** How long --wait waits. */
export const waitFlags = {
  wait: Flags.boolean({ summary: 'wait until the taints are as shown, or say why they are not' }),
  timeout: Flags.string({ summary: 'how long --wait waits; default: 1m', helpValue: 'DURATION' }),
};
