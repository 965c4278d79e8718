import { PLACED, type Span } from '../../../simulator/timeline/span.ts';
import { lanesOf } from '../spansShown.ts';

/** An old copy that had to leave, and a copy that was placed next: the spans with which either begins. */
export interface Replacement {
  old: Span;
  copy: Span;
}

/**
 * Which copies of one workload take the place of which. Copies placed at one instant answer every eviction before it that no earlier
 * placement has answered; a copy that is to have more replicas than before counts as placed. Copies of the start replace nothing.
 */
export function replacements(spans: readonly Span[], start: number): Replacement[] {
  const changes = lanesOf(spans).flatMap((lane) =>
    lane.cluster === undefined ? [] : changesOf(lane.spans, start),
  );
  changes.sort((a, b) => a.time - b.time || Number(b.leaves) - Number(a.leaves));
  const found: Replacement[] = [];
  let unanswered: Span[] = [];
  let answered: { time: number; by: Span[] } | undefined;
  for (const { time, leaves, span } of changes) {
    if (leaves) unanswered.push(span);
    else {
      if (answered?.time !== time) {
        answered = { time, by: unanswered };
        unanswered = [];
      }
      for (const old of answered.by) found.push({ old, copy: span });
    }
  }
  return found;
}

interface Change {
  /** epoch milliseconds */
  time: number;
  /** it had to leave; otherwise it is placed, or gets more replicas */
  leaves: boolean;
  span: Span;
}

/** When the copy on one cluster had to leave, and when it was placed there, in order of time. */
function changesOf(spans: readonly Span[], start: number): Change[] {
  const changes: Change[] = [];
  let placed: Span | undefined;
  for (const span of spans) {
    const isPlaced = PLACED.has(span.phase);
    const goesOn = placed?.to === span.from;
    if (placed?.to !== undefined && !(goesOn && isPlaced))
      changes.push({ time: placed.to, leaves: true, span: goesOn ? span : placed });
    const isNew = goesOn ? (span.replicas ?? 0) > (placed?.replicas ?? 0) : span.from > start;
    if (isPlaced && isNew) changes.push({ time: span.from, leaves: false, span });
    placed = isPlaced ? span : undefined;
  }
  if (placed?.to !== undefined) changes.push({ time: placed.to, leaves: true, span: placed });
  const [first] = spans;
  if (first?.phase === 'evicting' && first.from === start)
    changes.unshift({ time: start, leaves: true, span: first });
  return changes;
}
