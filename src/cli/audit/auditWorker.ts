import { parentPort } from 'node:worker_threads';
import { auditPart, type SharedAudit } from '../../analysis/audit/auditPart.ts';

/** In a thread of its own: takes part in an audit, and sends what it has found. */
export function serveAudit({ audit }: { audit: SharedAudit }): void {
  if (!parentPort) throw new Error('this runs in a thread of its own');
  parentPort.postMessage(auditPart(audit));
}
