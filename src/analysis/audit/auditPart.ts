import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { type AuditOptions, type RunningAudit, startAudit } from './audit.ts';
import type { TallyState } from './tally.ts';

/** An audit that several threads share: what each needs to take part in it. It can be sent to another thread. */
export interface SharedAudit {
  world: ResumableWorld;
  bindings: readonly ResourceBinding[];
  when: Pick<Scenario, 'start' | 'members'>;
  configuration: Configuration;
  options: Omit<AuditOptions, 'targetOf'>;
  /** the position of the next contingency that nobody simulates yet, how many are done, and the step to the next; shared memory */
  turns: Int32Array;
}

/** One of several parts of an audit: every `of`-th contingency, from the one at `index` on. */
export interface Shard {
  /** from 0 to `of` - 1 */
  index: number;
  of: number;
}

const WHOLE: Shard = { index: 0, of: 1 };

/** Begins the count of the contingencies that threads share. */
export function createTurns({ index, of }: Shard = WHOLE): Int32Array {
  const turns = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  turns.set([index, 0, of]);
  return turns;
}

/** How many contingencies of so many belong to a shard. */
export function turnsIn(total: number, { index, of }: Shard = WHOLE): number {
  return Math.max(0, Math.ceil((total - index) / of));
}

/** Simulates one contingency that nobody simulates yet; false: there is none. */
export function takeTurn({ total, simulate }: RunningAudit, turns: Int32Array): boolean {
  const at = Atomics.add(turns, 0, turns[2]!);
  if (at >= total) return false;
  simulate(at);
  Atomics.add(turns, 1, 1);
  return true;
}

/** How many contingencies all threads have simulated. */
export function turnsDone(turns: Int32Array): number {
  return Atomics.load(turns, 1);
}

/** No thread begins another contingency. */
export function endTurns(turns: Int32Array, { total }: Pick<RunningAudit, 'total'>): void {
  Atomics.store(turns, 0, total);
}

/** Takes part in an audit until nothing is left of it: what this thread has found. */
export function auditPart({ world, bindings, when, configuration, options, turns }: SharedAudit): TallyState {
  const running = startAudit(world, bindings, when, configuration, options);
  while (takeTurn(running, turns));
  return running.tally.state();
}
