import { documentLine } from '../views/forms/jsonText.ts';
import type { ShownChanges } from '../views/watching.ts';
import type { OnChanges } from '../useCases/watching.ts';
import { UserError } from './errors.ts';
import { ports } from './ports.ts';
import { print, type PrintFlags } from './print.ts';
import type { StateFlags } from './stateRequest.ts';
import { writeToStdout } from '../terminal/stdout.ts';

/** Whether changes can be followed: a captured state has none, so it is printed once, with a note. */
export function hasChanges(flags: StateFlags & { watch?: boolean }): boolean {
  if (flags.watch && flags.state?.length)
    ports.note('A captured state does not change, so it is printed once; dashboard replays a recording.');
  return flags.watch === true && !flags.state?.length;
}

/**
 * Throws a UserError for flags that a watch cannot take.
 * @param instead what to use instead of labels
 */
export function refuseUnwatchable(flags: StateFlags & PrintFlags, instead: string): void {
  if (flags.at !== undefined) throw new UserError('--watch uses the clock of the API server; leave --at out');
  if (flags['sort-by'] !== undefined)
    throw new UserError('--watch prints changes as they come; leave --sort-by out');
  if (flags.selector !== undefined)
    throw new UserError(
      `--watch does not follow the labels of workloads; leave --selector out, and ${instead}`,
    );
}

/** Prints changes as they come: as table lines, names, or one document each (one line in JSON). */
export function changePrinter<Change>(
  { document, visible, answer }: ShownChanges<Change>,
  flags: PrintFlags,
): OnChanges<Change> {
  const { output } = flags;
  let first = true;
  const each = async (change: Change, now: number) => {
    if (output === 'json') return void writeToStdout(`${documentLine(document(change, now))}\n`);
    if (output === 'yaml') void writeToStdout('---\n');
    // print the header of custom columns only once
    await print(answer([change], now), { ...flags, 'no-headers': flags['no-headers'] || !first });
    first = false;
  };
  return async (changes, now) => {
    if (output === undefined || output === 'wide') {
      const some = visible(changes, output === 'wide');
      if (some.length > 0) await print(answer(some, now), flags);
    } else for (const change of changes) await each(change, now);
  };
}
