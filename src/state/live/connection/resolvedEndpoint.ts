import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/** An API server and a user, from flags and kubeconfig combined. */
export interface Endpoint {
  /** may have a path, which prefixes the paths of the API */
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
/** An endpoint before flags override it. */
export type Unresolved = Omit<Endpoint, 'server'> & { server: string };
