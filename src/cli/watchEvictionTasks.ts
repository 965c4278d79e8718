import type { EvictionTaskChange } from '../engine/explanation/evictionTaskChanges.ts';
import { findBindings } from '../engine/selection/findBindings.ts';
import { selectBindings } from '../engine/selection/selectBindings.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import { watchEvictions } from '../operations/eviction/watchEvictions.ts';
import { mirror } from '../state/live/reflector.ts';
import { evictionTaskChanges } from '../views/evictionTaskChanges.ts';
import { assumedTimeout, TIMEOUT } from './assumedTimeout.ts';
import { UserError } from './errors.ts';
import { print, type PrintFlags } from './print.ts';
import { askedAbout, givenFieldSelector, type SelectionFlags } from './selection.ts';
import { openState, type StateFlags } from './state.ts';
import { bindingsNamed } from './target.ts';

export type WatchFlags = StateFlags & SelectionFlags & PrintFlags;

/**
 * Prints how the eviction tasks of a live control plane stand, and again each one that changes, until the process is
 * ended. Throws a UserError where the command line asks for what cannot be watched.
 */
export async function watchEvictionTasks(target: string | undefined, flags: WatchFlags): Promise<void> {
  refuseUnwatchable(flags);
  const { namespace } = flags;
  const kinds = new Set([
    'Cluster',
    ...(target === undefined ? [] : ['ResourceBinding', 'ClusterResourceBinding']),
  ]);
  const { world, server, configuration, karmadaVersion, assumptions } = await openState(
    flags,
    kinds,
    undefined,
    {
      namespace,
    },
  );
  if (target !== undefined) bindingsNamed(target, world.bindings, namespace);
  const timeout = assumedTimeout(assumptions, configuration);
  if (timeout) process.stderr.write(`warning: ${timeout.warning}\n`);

  const nothing = `No evictions in flight ${askedAbout(target, flags)}`.trimEnd();
  const stop = new AbortController();
  const tell = changePrinter(karmadaVersion, flags);
  let printing = Promise.resolve();
  let failure: unknown;
  await watchEvictions((path, listener) => mirror(server!, path, { listener }), {
    namespace,
    concerns: concerned(target, flags),
    gracefulEvictionTimeout: configuration.controllerManager[TIMEOUT],
    timeoutAssumed: timeout?.missing,
    now: () => server!.now(),
    signal: stop.signal,
    onChanges(changes, now) {
      if (changes.length === 0) process.stderr.write(`${nothing}; waiting for some.\n`);
      printing = printing
        .then(() => tell(changes, now))
        .catch((error: unknown) => {
          failure ??= error;
          stop.abort();
        });
    },
    onSilence: (silent) =>
      process.stderr.write(
        silent
          ? `warning: ${server!.url} is not heard of; what is shown may be out of date\n`
          : `${server!.url} is heard of again.\n`,
      ),
    onWarning: (message) => process.stderr.write(`warning: ${message}\n`),
  });
  await printing;
  if (failure !== undefined) throw failure;
}

/** Prints changes as they come: lines of a table or names, else one document for each, in JSON one line. */
function changePrinter(
  karmadaVersion: string,
  flags: WatchFlags,
): (changes: EvictionTaskChange[], now: number) => Promise<void> {
  const { output } = flags;
  const { document, visible, answer } = evictionTaskChanges(karmadaVersion);
  let first = true;
  const each = async (change: EvictionTaskChange, now: number) => {
    if (output === 'json') return void process.stdout.write(`${JSON.stringify(document(change, now))}\n`);
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

function refuseUnwatchable(flags: WatchFlags): void {
  if (flags.state?.length)
    throw new UserError('--watch follows a live control plane, and --state reads files');
  if (flags.at !== undefined)
    throw new UserError('--watch goes by the clock of the API server; leave --at out');
  if (flags['sort-by'] !== undefined)
    throw new UserError('--watch tells of changes as they come; leave --sort-by out');
  if (flags.selector !== undefined)
    throw new UserError(
      '--watch does not follow labels, which are those of the workloads; name a workload, or use --namespace or --field-selector',
    );
}

/** Whether a binding is one of those asked for, each by itself. */
function concerned(target: string | undefined, flags: WatchFlags): (binding: ResourceBinding) => boolean {
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
