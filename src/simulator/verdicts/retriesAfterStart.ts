import { processOf } from '../../karmada/controllers/registry.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/**
 * Finds what a process that a scenario has started does only in a retry: its back-off counts from a moment that no scenario knows to
 * the second.
 *
 * @param retried called with the key of each binding that such a retry changes, itself or a Work of it
 */
export function followRetriesAfterStart(
  time: VirtualTime,
  retried: (binding: string, component: string) => void,
): void {
  const started = new Set<string>();
  const failing = new Set<string>();
  time.follow(({ by, key = '', changes, step, process }) => {
    if (process && process.change !== 'ended') started.add(process.component);
    if (!step || started.size === 0) return;
    const component = processOf(by, key, time.view);
    if (component === undefined || !started.has(component)) return;
    if (step.failure) failing.add(`${by} ${key}`);
    else if (failing.delete(`${by} ${key}`))
      for (const change of changes) {
        const binding = bindingChanged(change, time);
        if (binding !== undefined) retried(binding, component);
      }
  });
}

function bindingChanged(change: Change, { view }: VirtualTime): string | undefined {
  if (change.kind === 'Binding') return change.key;
  const work = change.kind === 'Work' ? (change.after ?? change.before) : undefined;
  const binding = work && view.bindingOf(work);
  return binding && bindingKey(binding);
}
