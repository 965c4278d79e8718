import * as Flags from '@oclif/core/flags';

/** Where the control plane's state comes from, and what is assumed where it does not say. */
export const stateFlags = {
  state: Flags.string({
    summary: 'file or directory with the state, as kubectl get -o json|yaml prints it; - reads stdin',
    helpValue: 'PATH',
    multiple: true,
    multipleNonGreedy: true,
    required: true,
  }),
  at: Flags.string({
    summary: 'the instant to take for now (RFC 3339); default: the newest timestamp in the state',
    helpValue: 'TIME',
  }),
  assume: Flags.string({
    summary: 'a feature gate or component flag that the state does not tell, e.g. Failover=true',
    helpValue: 'NAME=VALUE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'karmada-version': Flags.string({
    summary: 'the Karmada version whose behaviour applies; default: as detected in the state',
    helpValue: 'vX.Y',
  }),
};

export { listOutputFlags, outputFlags } from './outputFlags.ts';
export { scopeFlags, selectionFlags } from './selectionFlags.ts';
