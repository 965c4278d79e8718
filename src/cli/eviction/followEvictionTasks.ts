import { fitsScreen } from '../../terminal/capabilities.ts';
import { printNote } from '../../terminal/messages.ts';
import { watchEvictionTasks, type EvictionWatch } from '../../useCases/eviction/watchEvictionTasks.ts';
import { evictionQueueChanges, evictionTaskChanges } from '../../views/eviction/evictionChanges.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { ports } from '../ports.ts';
import type { PrintFlags } from '../print.ts';
import { selectionText, selectionFromFlags, type SelectionFlags } from '../selection.ts';
import { liveRequest, type StateFlags } from '../stateRequest.ts';
import { changePrinter, refuseUnwatchable } from '../watching.ts';

/**
 * Whether to print the eviction queue: not with names or columns, which are those of tasks, and not without headers,
 * where only tables are expected.
 */
function showsQueue({ output, 'no-headers': noHeaders }: PrintFlags): boolean {
  if (output === undefined || output === 'wide') return !noHeaders;
  return output === 'json' || output === 'yaml';
}

type WatchFlags = StateFlags & SelectionFlags & PrintFlags & { plain?: boolean | undefined };

/**
 * Shows eviction tasks as they change: on a screen if there is a terminal, otherwise line by line. Resolves with the
 * exit code; throws a UserError for flags that a watch cannot take.
 */
export async function followEvictionTasks(targets: readonly string[], flags: WatchFlags): Promise<number> {
  refuseUnwatchable(flags, 'name a workload, or use --namespace or --field-selector');
  const asked = selectionText(targets, flags);
  const request = { state: liveRequest(flags), targets, selection: selectionFromFlags(flags) };
  const isForPeople = flags.output === undefined && !flags['no-headers'] && !flags.plain;
  if (isForPeople && fitsScreen(process)) {
    const { watchOnScreen } = await import('./watchOnScreen.ts');
    return watchOnScreen(request, asked);
  }
  await printEvictionTasks(request, asked, flags);
  return EXIT_OK;
}

async function printEvictionTasks(request: EvictionWatch, asked: string, flags: WatchFlags): Promise<void> {
  const nothing = `No evictions in flight ${asked}`.trimEnd();
  await watchEvictionTasks(
    request,
    ({ karmadaVersion }) => {
      const tasks = changePrinter(evictionTaskChanges(karmadaVersion), flags);
      const queue = changePrinter(evictionQueueChanges(karmadaVersion), flags);
      return {
        async tasks(changes, now) {
          if (changes.length === 0) printNote(`${nothing}; waiting for some.`);
          await tasks(changes, now);
        },
        // other formats list only tasks
        queue: async (changes, now) => (showsQueue(flags) ? await queue(changes, now) : undefined),
      };
    },
    ports,
  );
}
