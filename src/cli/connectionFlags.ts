import * as Flags from '@oclif/core/flags';
import { wholeNumber } from './values.ts';

/** For flags that can be given several times, with one value each. */
export const repeatable = { multiple: true, multipleNonGreedy: true } as const;

/** The help group of these flags. */
export const CONNECTION = 'CONNECTION';
const helpGroup = CONNECTION;

/** How to reach Karmada's control plane: kubectl's flags, with kubectl's meaning. */
export const connectionFlags = {
  kubeconfig: Flags.string({ helpGroup, summary: 'kubeconfig file to use', helpValue: 'FILE' }),
  'karmada-context': Flags.string({
    helpGroup,
    summary: "kubeconfig context of Karmada's control plane",
    helpValue: 'NAME',
  }),
  context: Flags.string({
    helpGroup,
    summary: 'same as --karmada-context, for users of kubectl',
    helpValue: 'NAME',
  }),
  cluster: Flags.string({ helpGroup, summary: 'kubeconfig cluster to use', helpValue: 'NAME' }),
  user: Flags.string({ helpGroup, summary: 'kubeconfig user to use', helpValue: 'NAME' }),
  server: Flags.string({ helpGroup, char: 's', summary: 'address of the API server', helpValue: 'URL' }),
  'tls-server-name': Flags.string({
    helpGroup,
    summary: "name to expect in the server's certificate",
    helpValue: 'NAME',
  }),
  'certificate-authority': Flags.string({
    helpGroup,
    summary: 'file with the certificate authority of the server',
    helpValue: 'FILE',
  }),
  'insecure-skip-tls-verify': Flags.boolean({ helpGroup, summary: "do not check the server's certificate" }),
  token: Flags.string({ helpGroup, summary: 'bearer token for the API server', helpValue: 'TOKEN' }),
  'client-certificate': Flags.string({
    helpGroup,
    summary: 'file with a client certificate',
    helpValue: 'FILE',
  }),
  'client-key': Flags.string({
    helpGroup,
    summary: 'file with the key of the client certificate',
    helpValue: 'FILE',
  }),
  as: Flags.string({ helpGroup, summary: 'user to impersonate', helpValue: 'NAME' }),
  'as-group': Flags.string({
    helpGroup,
    summary: 'group to impersonate; can be given several times',
    helpValue: 'GROUP',
    ...repeatable,
  }),
  'as-uid': Flags.string({ helpGroup, summary: 'UID to impersonate', helpValue: 'UID' }),
  'request-timeout': Flags.string({
    helpGroup,
    summary: 'timeout of a request (10, 30s, 1m); default: 0, no limit',
    helpValue: 'DURATION',
  }),
  v: Flags.string({
    helpGroup,
    char: 'v',
    summary:
      'log requests on stderr, more at higher levels, as kubectl does; 6: each request with its answer',
    helpValue: 'LEVEL',
    parse: async (given) => String(wholeNumber('-v', given, 0)),
  }),
};
