import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/** One API server and one user of it: flags and kubeconfig put together. */
export interface Endpoint {
  /** may have a path before the API's own */
  server: URL;
  context?: string | undefined;
  /** of the context */
  namespace?: string | undefined;
  userName?: string | undefined;
  cluster: KubeconfigCluster;
  user: KubeconfigUser;
  /** milliseconds; 0 for none */
  requestTimeout: number;
}
/** An endpoint before flags are put over it. */
export type Unresolved = Omit<Endpoint, 'server'> & { server: string };
