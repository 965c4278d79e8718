import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { type AuditOptions, type RunningAudit, startAudit } from './audit.ts';
import type { SingleFailure } from './pairs.ts';
import type { TallyState } from './tally.ts';

/** An audit shared by several threads: the input of each. Can be sent to another thread. */
export interface SharedAudit {
  world: ResumableWorld;
  bindings: readonly ResourceBinding[];
  when: Pick<Scenario, 'start' | 'members'>;
  configuration: Configuration;
  options: Omit<AuditOptions, 'targetOf' | 'earlier'>;
  /** the position of the next free contingency, how many are done, and the step size; shared memory */
  turns: Int32Array;
}

/** One of several parts of an audit: every `of`-th contingency, from position `index`. */
export interface Shard {
  /** from 0 to `of` - 1 */
  index: number;
  of: number;
}

const WHOLE: Shard = { index: 0, of: 1 };

/** The positions of the counters that threads share. */
const NEXT = 0;
const DONE = 1;
const STEP = 2;
const NEXT_SINGLE = 3;
const INDEX = 4;

/** Starts the counter of the contingencies that threads share. */
export function createTurns({ index, of }: Shard = WHOLE): Int32Array {
  const turns = new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));
  turns[NEXT] = turns[INDEX] = index;
  turns[STEP] = of;
  return turns;
}

/** How many of the contingencies belong to a shard. */
export function turnsIn(total: number, { index, of }: Shard = WHOLE): number {
  return Math.max(0, Math.ceil((total - index) / of));
}

/** Simulates the next free contingency; false: there is none. */
export function takeTurn({ total, simulate, screened }: RunningAudit, turns: Int32Array): boolean {
  const at = Atomics.add(turns, NEXT, turns[STEP]!);
  if (at >= total) return false;
  if (!screened?.isDone(at)) {
    simulate(at);
    Atomics.add(turns, DONE, 1);
  }
  return true;
}

/** Simulates the failure of the next free cluster, for pairs; false: there is none. */
export function takeSingle({ screened, simulate }: RunningAudit, turns: Int32Array): boolean {
  const cluster = screened?.clusters[Atomics.add(turns, NEXT_SINGLE, 1)];
  if (!screened || cluster === undefined) return false;
  const at = screened.at(cluster);
  if (at === undefined || at % turns[STEP]! !== turns[INDEX]) screened.simulate(cluster);
  else {
    simulate(at);
    Atomics.add(turns, DONE, 1);
  }
  return true;
}

/** How many contingencies all threads have simulated. */
export function turnsDone(turns: Int32Array): number {
  return Atomics.load(turns, DONE);
}

/** Stops all threads from starting another contingency. */
export function endTurns(turns: Int32Array, { total, screened }: RunningAudit): void {
  Atomics.store(turns, NEXT, total);
  Atomics.store(turns, NEXT_SINGLE, screened?.clusters.length ?? 0);
}

/** A thread's message with the single failures that it has simulated. */
export type FoundSingles = readonly (readonly [cluster: string, found: SingleFailure])[];

/** Another thread that takes part. If it ends without an answer, the result is undefined. */
export interface AuditThread {
  /** the single failures that it has simulated; only if pairs are screened */
  singles: Promise<FoundSingles | undefined>;
  /** Sends it the single failures of all threads, which it waits for. */
  goOn(singles: FoundSingles): void;
  part: Promise<TallyState | undefined>;
}

/**
 * Takes part in an audit until no contingency is left, and returns this thread's results.
 *
 * @param exchange takes this thread's single failures and returns those of all; called only if pairs are screened
 */
export async function auditPart(
  { world, bindings, when, configuration, options, turns }: SharedAudit,
  exchange: (found: FoundSingles) => Promise<FoundSingles>,
): Promise<TallyState> {
  const running = startAudit(world, bindings, when, configuration, options);
  const { screened } = running;
  if (screened) {
    while (takeSingle(running, turns));
    for (const [cluster, found] of await exchange([...screened.known])) screened.known.set(cluster, found);
  }
  while (takeTurn(running, turns));
  return running.tally.state();
}
