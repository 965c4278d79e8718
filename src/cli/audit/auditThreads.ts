import { Worker } from 'node:worker_threads';
import type { AuditThread, FoundSingles, SharedAudit } from '../../analysis/audit/auditPart.ts';
import type { TallyState } from '../../analysis/audit/tally.ts';
import { holdsBindings } from '../../state/largeHeap.ts';

/** The most bindings held by all threads together: each has its own copy of the world, about 10 KiB per binding. */
const MAX_HELD = 400_000;

/**
 * Additional threads: the requested number minus this one.
 * @param file the built script that calls `serveAudit` for data with an audit
 */
export function auditThreads(file: string, threads: number): (shared: SharedAudit) => AuditThread[] {
  return (shared) => {
    holdsBindings(shared.world.bindings.length);
    const held = Math.floor(MAX_HELD / Math.max(1, shared.world.bindings.length));
    const beside = Math.max(0, Math.min(threads, held, shared.options.contingencies.length) - 1);
    return Array.from({ length: beside }, () => begin(shared, file));
  };
}

function begin(audit: SharedAudit, file: string): AuditThread {
  const worker = new Worker(file, { workerData: { audit } });
  const answer = <T>(name: 'singles' | 'part') =>
    new Promise<T | undefined>((resolve) => {
      worker.on('message', (message: Partial<Record<typeof name, T>>) => {
        if (message[name]) resolve(message[name]);
      });
      // other threads take over the work of a failed one
      worker.once('error', () => resolve(undefined));
      worker.once('exit', () => resolve(undefined));
    });
  return {
    singles: answer<FoundSingles>('singles'),
    part: answer<TallyState>('part'),
    goOn: (singles) => worker.postMessage(singles),
  };
}
