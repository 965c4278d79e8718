import * as Flags from '@oclif/core/flags';

/** How to reach Karmada's control plane: kubectl's flags, with kubectl's meaning. */
export const connectionFlags = {
  kubeconfig: Flags.string({ summary: 'kubeconfig file to use', helpValue: 'FILE' }),
  'karmada-context': Flags.string({
    summary: "kubeconfig context of Karmada's control plane",
    helpValue: 'NAME',
  }),
  context: Flags.string({ summary: 'the same, as kubectl calls it', helpValue: 'NAME' }),
  cluster: Flags.string({ summary: 'kubeconfig cluster to use', helpValue: 'NAME' }),
  user: Flags.string({ summary: 'kubeconfig user to use', helpValue: 'NAME' }),
  server: Flags.string({ char: 's', summary: 'address of the API server', helpValue: 'URL' }),
  'tls-server-name': Flags.string({
    summary: "name to expect in the server's certificate",
    helpValue: 'NAME',
  }),
  'certificate-authority': Flags.string({
    summary: "file with the authority of the server's certificate",
    helpValue: 'FILE',
  }),
  'insecure-skip-tls-verify': Flags.boolean({ summary: "do not check the server's certificate" }),
  token: Flags.string({ summary: 'bearer token for the API server', helpValue: 'TOKEN' }),
  'client-certificate': Flags.string({ summary: 'file with a client certificate', helpValue: 'FILE' }),
  'client-key': Flags.string({ summary: 'file with the key of the client certificate', helpValue: 'FILE' }),
  as: Flags.string({ summary: 'user to impersonate', helpValue: 'NAME' }),
  'as-group': Flags.string({
    summary: 'group to impersonate; can be given several times',
    helpValue: 'GROUP',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'as-uid': Flags.string({ summary: 'UID to impersonate', helpValue: 'UID' }),
  'request-timeout': Flags.string({
    summary: 'give up on a request after this time (10, 30s, 1m); default 0: as long as trying again helps',
    helpValue: 'DURATION',
  }),
};

export { connectFromFlags, type ConnectionFlags } from './connectFromFlags.ts';
