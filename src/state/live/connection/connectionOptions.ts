import type { Logger, Metrics } from '../../../kubernetes/observation.ts';

/** The connection to an API server: kubectl's flags; each overrides the kubeconfig. */
export interface ConnectionOptions {
  /** a file that must exist; if absent: KUBECONFIG, then ~/.kube/config */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** the context of Karmada's control plane; overrides `context` */
  karmadaContext?: string | undefined;
  cluster?: string | undefined;
  user?: string | undefined;
  server?: string | undefined;
  tlsServerName?: string | undefined;
  certificateAuthority?: string | undefined;
  insecureSkipTlsVerify?: boolean | undefined;
  proxyUrl?: string | undefined;
  disableCompression?: boolean | undefined;
  token?: string | undefined;
  clientCertificate?: string | undefined;
  clientKey?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  as?: string | undefined;
  asGroups?: string[] | undefined;
  asUid?: string | undefined;
  /** kubectl's syntax: "10" (seconds), "1m30s", "0" for none */
  requestTimeout?: string | undefined;
  /** the alternative to a kubeconfig, for the error if there is none */
  instead?: string | undefined;
  /** receives each distinct warning of the server, or about the kubeconfig, once */
  warn?: ((warning: string) => void) | undefined;
  /** logs requests, from verbosity 6 on */
  logger?: Logger | undefined;
  /** counts requests */
  metrics?: Metrics | undefined;
  /** receives each stderr line of a non-interactive exec plugin */
  pluginSays?: ((line: string) => void) | undefined;
}
