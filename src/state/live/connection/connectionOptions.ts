import type { Logger } from '../../../kubernetes/logger.ts';
import type { Metrics } from '../../../kubernetes/metrics.ts';

/** How to reach an API server: what kubectl's flags say, each over what the kubeconfig says. */
export interface ConnectionOptions {
  /** one file that must exist; without it KUBECONFIG, then ~/.kube/config */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** the context of Karmada's control plane; wins over `context` */
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
  /** whether --state could be given instead, for the error if there is no kubeconfig */
  takesFiles?: boolean | undefined;
  /** is told each distinct warning of the server, and what is odd about the kubeconfig, once */
  warn?: ((warning: string) => void) | undefined;
  /** is told of requests, from verbosity 6 on */
  logger?: Logger | undefined;
  /** counts requests */
  metrics?: Metrics | undefined;
  /** is told each line that an exec plugin which cannot ask questions writes to its stderr */
  pluginSays?: ((line: string) => void) | undefined;
}
