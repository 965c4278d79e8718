import { watchEvictions } from '../../operations/eviction/watchEvictions.ts';
import { mirror } from '../../state/live/reflector.ts';
import { evictionTaskChanges } from '../../views/evictionTaskChanges.ts';
import { assumedTimeout } from '../state/assumedTimeout.ts';
import { askedAbout } from '../selection/selection.ts';
import { openState } from '../state/openState.ts';
import { bindingsNamed } from '../selection/target.ts';
import { changePrinter, concerned, refuseUnwatchable, tellWhile, type WatchFlags } from '../watching.ts';
import { sayNote, sayWarning } from '../../terminal/messages.ts';

/**
 * Prints how the eviction tasks of a live control plane stand, and again each one that changes, until the process is
 * ended. Throws a UserError where the command line asks for what cannot be watched.
 */
export async function watchEvictionTasks(target: string | undefined, flags: WatchFlags): Promise<void> {
  refuseUnwatchable(flags, 'name a workload, or use --namespace or --field-selector');
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
  if (timeout) sayWarning(timeout.warning);

  const nothing = `No evictions in flight ${askedAbout(target, flags)}`.trimEnd();
  const tell = changePrinter(evictionTaskChanges(karmadaVersion), flags);
  await tellWhile(server!, (telling) =>
    watchEvictions((path, listener) => mirror(server!, path, { listener }), {
      ...telling,
      namespace,
      concerns: concerned(target, flags),
      configuration,
      timeoutAssumed: timeout?.missing,
      onChanges(changes, now) {
        if (changes.length === 0) sayNote(`${nothing}; waiting for some.`);
        telling.tell(() => tell(changes, now));
      },
    }),
  );
}
