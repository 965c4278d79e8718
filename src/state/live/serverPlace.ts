import type { ApiServer } from './apiServer.ts';

/** A server as messages name it: "https://10.0.0.1:6443 (context karmada)" */
export function serverPlace({ url, context }: Pick<ApiServer, 'url' | 'context'>): string {
  return context === undefined ? url : `${url} (context ${context})`;
}
