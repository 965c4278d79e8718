import * as Flags from '@oclif/core/flags';
import { connectionFlags } from './connection.ts';

const ofState = { helpGroup: 'STATE' };
const ofHost = { helpGroup: 'CONNECTION' };

const captureFlags = {
  state: Flags.string({
    ...ofState,
    summary:
      'read this instead of a live control plane: a snapshot, or files or directories that kubectl get -o json|yaml printed; - is stdin',
    helpValue: 'PATH',
    multiple: true,
    multipleNonGreedy: true,
  }),
};

/** Where the state comes from: a live control plane and the cluster that it runs in, or files. */
export const sourceFlags = {
  ...captureFlags,
  ...connectionFlags,
  'host-context': Flags.string({
    ...ofHost,
    summary: "kubeconfig context of the cluster that Karmada's components run in, to read their flags",
    helpValue: 'NAME',
  }),
  'host-kubeconfig': Flags.string({
    ...ofHost,
    summary: 'kubeconfig file for that cluster',
    helpValue: 'FILE',
  }),
  'host-namespace': Flags.string({
    ...ofHost,
    summary: 'namespace of the components there; default: karmada-system',
    helpValue: 'NAMESPACE',
  }),
};

/** The state, and what is assumed if the state does not tell it. */
export const stateFlags = {
  ...captureFlags,
  at: Flags.string({
    ...ofState,
    summary:
      'the instant to take for now (RFC 3339); default: the clock of the API server, or the newest time in the files',
    helpValue: 'TIME',
  }),
  assume: Flags.string({
    ...ofState,
    summary: 'a feature gate or component flag that the state does not show, e.g. Failover=true',
    helpValue: 'NAME=VALUE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'karmada-version': Flags.string({
    ...ofState,
    summary:
      'the Karmada version whose behaviour applies, such as v1.17.3, v1.17 for its newest patch release, or proposal for the design; default: as detected',
    helpValue: 'vX.Y.Z',
  }),
  ...sourceFlags,
};

export { listOutputFlags, listOutputFlagsWith, outputFlags, outputFlagWith } from './outputFlags.ts';
export { scopeFlags, selectionFlags } from './selectionFlags.ts';

/** What a simulation assumes about members. */
export const memberFlags = {
  'ready-after': Flags.string({
    summary: 'how long new replicas take until they are ready; default 30s',
    helpValue: 'DURATION',
  }),
};
