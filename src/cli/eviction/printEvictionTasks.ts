import { sayNote } from '../../terminal/messages.ts';
import { watchEvictionTasks } from '../../useCases/eviction/watchEvictionTasks.ts';
import { evictionTaskChanges } from '../../views/evictionTaskChanges.ts';
import { ports } from '../ports.ts';
import type { PrintFlags } from '../print.ts';
import { askedAbout, selectionFromFlags, type SelectionFlags } from '../selection.ts';
import { stateRequest, type StateFlags } from '../stateRequest.ts';
import { changePrinter, refuseUnwatchable } from '../watching.ts';

/** Prints eviction tasks, then each one that changes, until the process ends. Throws a UserError for flags that a watch cannot take. */
export async function printEvictionTasks(
  targets: readonly string[],
  flags: StateFlags & SelectionFlags & PrintFlags,
): Promise<void> {
  refuseUnwatchable(flags, 'name a workload, or use --namespace or --field-selector');
  const nothing = `No evictions in flight ${askedAbout(targets, flags)}`.trimEnd();
  const request = { state: stateRequest(flags), targets, selection: selectionFromFlags(flags) };
  await watchEvictionTasks(
    request,
    (karmadaVersion) => {
      const tell = changePrinter(evictionTaskChanges(karmadaVersion), flags);
      return async (changes, now) => {
        if (changes.length === 0) sayNote(`${nothing}; waiting for some.`);
        await tell(changes, now);
      };
    },
    ports,
  );
}
