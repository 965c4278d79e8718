import { workerData } from 'node:worker_threads';
import { serveFeed } from './cli/dashboard/feedWorker.ts';

/**
 * The entry of threads: some follow a dashboard's control plane, some carry out one action, some take part in an audit.
 */
export async function main(): Promise<void> {
  const data = workerData as object;
  if ('audit' in data) {
    const { serveAudit } = await import('./cli/audit/auditWorker.ts');
    return serveAudit(data as Parameters<typeof serveAudit>[0]);
  }
  if (!('action' in data)) return serveFeed();
  const { serveAction } = await import('./cli/dashboard/actions/actionWorker.ts');
  serveAction(data as Parameters<typeof serveAction>[0]);
}
