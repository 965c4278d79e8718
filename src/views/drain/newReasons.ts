import type { DrainEvent } from '../../analysis/drain/drainEvent.ts';
import { objectKey } from '../../karmada/objects/identities.ts';

/** A test whether an event says something new about its workload: a reason may come and go. */
export function newReasons(): (event: DrainEvent) => boolean {
  const last = new Map<string, string>();
  return (event) => {
    if (event.type !== 'stays' && event.type !== 'skipped' && event.type !== 'stuck') return true;
    const key = objectKey(event.binding);
    const text = `${event.type} ${event.reason}`;
    const isNew = last.get(key) !== text;
    last.set(key, text);
    return isNew;
  };
}
