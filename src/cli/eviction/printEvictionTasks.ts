import { sayNote } from '../../terminal/messages.ts';
import { watchEvictionTasks } from '../../useCases/eviction/watchEvictionTasks.ts';
import { evictionQueueChanges } from '../../views/eviction/evictionQueueChanges.ts';
import { evictionTaskChanges } from '../../views/eviction/evictionTaskChanges.ts';
import { ports } from '../ports.ts';
import type { PrintFlags } from '../print.ts';
import { askedAbout, selectionFromFlags, type SelectionFlags } from '../selection.ts';
import { stateRequest, type StateFlags } from '../stateRequest.ts';
import { changePrinter, refuseUnwatchable } from '../watching.ts';

/** Names and columns are those of tasks, and without headers there are only tables. */
function showsQueue({ output, 'no-headers': noHeaders }: PrintFlags): boolean {
  if (output === undefined || output === 'wide') return !noHeaders;
  return output === 'json' || output === 'yaml';
}

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
      const tasks = changePrinter(evictionTaskChanges(karmadaVersion), flags);
      const queue = changePrinter(evictionQueueChanges(karmadaVersion), flags);
      return {
        async tasks(changes, now) {
          if (changes.length === 0) sayNote(`${nothing}; waiting for some.`);
          await tasks(changes, now);
        },
        // the other forms list tasks
        queue: async (changes, now) => (showsQueue(flags) ? await queue(changes, now) : undefined),
      };
    },
    ports,
  );
}
