import { workerData } from 'node:worker_threads';
import { serveFeed } from './cli/dashboard/feedWorker.ts';

/** The entry of the threads of a dashboard: one follows a control plane, others each carry out an action. */
export async function main(): Promise<void> {
  const data = workerData as object;
  if (!('action' in data)) return serveFeed();
  const { serveAction } = await import('./cli/dashboard/actions/actionWorker.ts');
  serveAction(data as Parameters<typeof serveAction>[0]);
}
