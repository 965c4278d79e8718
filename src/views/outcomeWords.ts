import type { Outcome, WorkloadOutcome } from '../engine/verdicts/outcome.ts';
import { rfc3339Milliseconds } from '../kubernetes/time.ts';
import { placementText } from './placement.ts';
import type { Style } from './style.ts';

/** Worst first. */
export const SEVERITY: readonly Outcome[] = [
  'lost',
  'blocked',
  'flaps',
  'partly-moves',
  'restarted',
  'moves',
  'starts',
  'tolerates',
  'stays',
];

const words: Record<Outcome, [one: string, many: string]> = {
  lost: ['is lost', 'are lost'],
  blocked: ['is blocked', 'are blocked'],
  flaps: ['flaps', 'flap'],
  'partly-moves': ['moves in part', 'move in part'],
  restarted: ['is restarted', 'are restarted'],
  moves: ['moves', 'move'],
  starts: ['starts', 'start'],
  tolerates: ['tolerates it', 'tolerate it'],
  stays: ['stays', 'stay'],
};

/** "2 are lost" */
export function outcomeCount(outcome: Outcome, count: number): string {
  return `${count} ${words[outcome][count === 1 ? 0 : 1]}`;
}

/** In the colour of how bad it is. */
export function outcomeStyle(outcome: Outcome, style: Style): (text: string) => string {
  if (outcome === 'lost' || outcome === 'blocked' || outcome === 'flaps') return style.bad;
  return outcome === 'partly-moves' || outcome === 'restarted' ? style.warn : (text) => text;
}

/** "may end on virginia×6 or tokyo×6", if several ends are possible; else nothing. */
export function possibleEndsText({ possibleEnds = [] }: Pick<WorkloadOutcome, 'possibleEnds'>): string[] {
  if (possibleEnds.length < 2) return [];
  return [`may end on ${possibleEnds.map((end) => placementText(end) || 'no cluster').join(' or ')}`];
}

/** The parts of an outcome that hold times, as documents print them. */
export function outcomeDocument({
  deletedReady,
  flapping,
}: Pick<WorkloadOutcome, 'deletedReady' | 'flapping'>) {
  return {
    ...(deletedReady
      ? { deletedReady: deletedReady.map((one) => ({ ...one, time: rfc3339Milliseconds(one.time) })) }
      : {}),
    ...(flapping ? { flapping: { periodSeconds: flapping.period / 1000, cause: flapping.cause } } : {}),
  };
}
