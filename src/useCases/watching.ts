import { findBindings } from '../engine/selection/findBindings.ts';
import { selectBindings } from '../engine/selection/selectBindings.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import type { WatchOptions } from '../operations/watchMirrors.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { Answer } from '../views/answer.ts';
import { UserError } from '../cli/errors.ts';
import { print, type PrintFlags } from '../cli/print.ts';
import { givenFieldSelector, type SelectionFlags } from './selection/selection.ts';
import type { StateFlags } from './state/openState.ts';
import { jsonLine } from '../views/jsonText.ts';
import { sayNote, sayWarning } from '../terminal/messages.ts';

export type WatchFlags = StateFlags & SelectionFlags & PrintFlags;

/**
 * Throws a UserError where the command line asks for what cannot be watched.
 *
 * @param instead what to do instead of giving labels
 */
export function refuseUnwatchable(flags: WatchFlags, instead: string): void {
  if (flags.state?.length)
    throw new UserError('--watch follows a live control plane, and --state reads files');
  if (flags.at !== undefined)
    throw new UserError('--watch goes by the clock of the API server; leave --at out');
  if (flags['sort-by'] !== undefined)
    throw new UserError('--watch tells of changes as they come; leave --sort-by out');
  if (flags.selector !== undefined)
    throw new UserError(`--watch does not follow labels, which are those of the workloads; ${instead}`);
}

/** Whether a binding is one of those asked for, each by itself. */
export function concerned(
  target: string | undefined,
  flags: SelectionFlags,
): (binding: ResourceBinding) => boolean {
  if (target !== undefined) {
    const [kind = '', name = ''] = target.split('/');
    const { namespace } = flags;
    const query = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return (binding) => findBindings([binding], query).length > 0;
  }
  const selector = flags['field-selector'];
  if (selector === undefined) return () => true;
  const fields = givenFieldSelector(selector);
  return (binding) => selectBindings({ bindings: [binding], others: [] }, { fields }).length > 0;
}

/** What a watch is given of a command, and how it prints in turn. */
export type Telling = Omit<WatchOptions, 'pause'> & { tell(print: () => Promise<void>): void };

/**
 * Lets a watch of a server print until the process is ended; what keeps it from printing ends it. How well the server
 * is heard of goes to stderr.
 */
export async function tellWhile(
  server: ApiServer,
  watch: (telling: Telling) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  let printing = Promise.resolve();
  let failure: unknown;
  await watch({
    now: () => server.now(),
    signal: stop.signal,
    tell(print) {
      printing = printing.then(print).catch((error: unknown) => {
        failure ??= error;
        stop.abort();
      });
    },
    onSilence: (silent) =>
      silent
        ? sayWarning(`${server.url} is not heard of; what is shown may be out of date`)
        : sayNote(`${server.url} is heard of again.`),
    onWarning: sayWarning,
  });
  await printing;
  if (failure !== undefined) throw failure;
}

/** How changes look, one after the other. */
export interface ChangesView<Change> {
  document(change: Change, now: number): Answer['document'];
  visible(changes: Change[], wide: boolean): Change[];
  answer(changes: Change[], now: number): Answer;
}

/** Prints changes as they come: lines of a table or names, else one document for each, in JSON one line. */
export function changePrinter<Change>(
  { document, visible, answer }: ChangesView<Change>,
  flags: PrintFlags,
): (changes: Change[], now: number) => Promise<void> {
  const { output } = flags;
  let first = true;
  const each = async (change: Change, now: number) => {
    if (output === 'json') return void process.stdout.write(`${jsonLine(document(change, now))}\n`);
    if (output === 'yaml') process.stdout.write('---\n');
    // a table of custom columns has its names once
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
