import { Worker } from 'node:worker_threads';
import type { SharedAudit } from '../../analysis/audit/auditPart.ts';
import type { TallyState } from '../../analysis/audit/tally.ts';

/** Bindings that all threads may hold together: each has a copy of the world, of about 10 KiB a binding. */
const MOST_HELD = 400_000;

/** Threads that take part in an audit: what each finds; undefined for one that ended without an answer. */
export type AuditThreads = (shared: SharedAudit) => Promise<TallyState | undefined>[];

/**
 * Threads beside this one, so that there are as many as were asked for.
 *
 * @param file the built script that calls `serveAudit` for data with an audit
 */
export function auditThreads(file: string, threads: number): AuditThreads {
  return (shared) => {
    const held = Math.floor(MOST_HELD / Math.max(1, shared.world.bindings.length));
    const beside = Math.max(0, Math.min(threads, held, shared.options.contingencies.length) - 1);
    return Array.from({ length: beside }, () => partOf(shared, file));
  };
}

function partOf(audit: SharedAudit, file: string): Promise<TallyState | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: { audit } });
    worker.once('message', resolve);
    // what it has not done the other threads do
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
}
