import { parentPort } from 'node:worker_threads';
import { auditPart, type FoundSingles, type SharedAudit } from '../../analysis/audit/auditPart.ts';

/** Runs in its own thread: takes part in an audit and sends the results. */
export async function serveAudit({ audit }: { audit: SharedAudit }): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this runs in a thread of its own');
  const part = await auditPart(audit, (singles) => {
    port.postMessage({ singles });
    return new Promise<FoundSingles>((resolve) => port.once('message', resolve));
  });
  port.postMessage({ part });
}
