import * as Flags from '@oclif/core/flags';
import { acceptableCodes } from '../../analysis/taintPolicy/conversion/findings.ts';
import { policyForms } from '../../analysis/taintPolicy/conversion/forms.ts';
import { dryRunFlag, manifestFlags, outputFlags, stateFlags } from '../flags.ts';
import { UserError } from '../errors.ts';
import { RISKS } from './reportedRisks.ts';
import { repeatable } from '../connectionFlags.ts';

/** The flags of commands that change ClusterTaintPolicies. */
export const changeFlags = {
  'dry-run': dryRunFlag(
    'write nothing: print the changes (client), or also have the API server check them (server)',
  ),
  accept: Flags.string({
    summary: 'accept this risk, by its printed name; comma-separated',
    helpValue: 'RISK',
    ...repeatable,
    delimiter: ',',
    options: RISKS,
  }),
  'with-taints': Flags.boolean({
    summary: 'also remove the taints that the policies have set',
  }),
  yes: Flags.boolean({ char: 'y', summary: 'do not ask for confirmation; risks still need --accept' }),
  'save-state': Flags.string({
    summary: 'with --state: write the state after the change to a file, for --state',
    helpValue: 'FILE',
  }),
  ...stateFlags,
  ...outputFlags,
};

export const applyFlags = {
  ...manifestFlags,
  diff: Flags.boolean({
    summary: 'print how the policies would change, as kubectl diff does, and write nothing',
  }),
  'field-manager': Flags.string({
    summary: 'name of the field manager',
    helpValue: 'NAME',
    default: 'karmada-failover',
  }),
  'force-conflicts': Flags.boolean({ summary: 'take over fields that other managers own' }),
  prune: Flags.boolean({ summary: 'delete policies that have the labels of -l and are not in the files' }),
  selector: Flags.string({ char: 'l', summary: 'only policies with these labels', helpValue: 'SELECTOR' }),
  wait: Flags.boolean({ summary: 'wait until the taints are as shown, or report why they are not' }),
  timeout: Flags.string({ summary: 'how long --wait waits; default: 1m', helpValue: 'DURATION' }),
  ...changeFlags,
};

export const deleteFlags = {
  ...changeFlags,
  out: Flags.string({ summary: 'save the plan to this file', helpValue: 'FILE' }),
  plan: Flags.string({
    summary: 'execute the plan in this file, if it is still valid',
    helpValue: 'FILE',
  }),
  'ignore-not-found': Flags.boolean({ summary: 'a policy that does not exist is not an error' }),
};

export const convertFlags = {
  ...manifestFlags,
  to: Flags.option({
    summary: 'form to convert to',
    options: policyForms,
    required: true,
    helpValue: policyForms.join('|'),
  })(),
  accept: Flags.string({
    summary: 'accept this difference in behaviour, by its printed name; comma-separated',
    helpValue: 'NAME',
    ...repeatable,
    delimiter: ',',
    options: acceptableCodes,
  }),
  'in-place': Flags.boolean({ char: 'i', summary: 'write the converted manifests into their files' }),
  out: Flags.string({ summary: 'write all manifests to this file', helpValue: 'FILE' }),
  v: stateFlags.v,
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
