import type { FailoverStatus } from '../engine/explanation/failoverStatus.ts';
import { failoverStatusChanges as changesBetween } from '../engine/explanation/failoverStatusChanges.ts';
import type { FailoverStatusChange } from '../engine/explanation/failoverStatusChanges.ts';
import { slimServer } from '../operations/drain/slimServer.ts';
import { watchWorld } from '../operations/watchWorld.ts';
import { mirror } from '../state/live/reflector.ts';
import { failoverStatusChanges } from '../views/failoverStatusChanges.ts';
import { failoverSwitches, isForecast, requireCluster, STATUS_KINDS, statusOf } from './failoverStatus.ts';
import { openState } from './state.ts';
import { changePrinter, concerned, refuseUnwatchable, tellWhile, type WatchFlags } from './watching.ts';

/** What failures are forecast from, and nothing else needs. */
const FORECAST_KINDS: ReadonlySet<string> = new Set([
  'Work',
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
  'Lease',
]);

/**
 * Prints the status of failover on a live control plane, and again what of it changes, until the process is ended.
 * Throws a UserError where the command line asks for what cannot be watched.
 */
export async function watchFailoverStatus(cluster: string | undefined, flags: WatchFlags): Promise<void> {
  refuseUnwatchable(flags, 'use --namespace or --field-selector');
  const concerns = concerned(undefined, flags);
  const { namespace } = flags;
  const kinds = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding']);
  const opened = await openState(flags, kinds);
  const { server, configuration, karmadaVersion, assumptions } = opened;
  requireCluster(opened.world, cluster);
  const forecast = isForecast(opened.world, cluster);
  const followed = [...STATUS_KINDS].filter((kind) => forecast || !FORECAST_KINDS.has(kind));

  let before: FailoverStatus | undefined;
  let print: ((changes: FailoverStatusChange[], now: number) => Promise<void>) | undefined;
  const slim = slimServer(server!);
  await tellWhile(server!, (telling) =>
    watchWorld((path, listener) => mirror(slim, path, { listener }), {
      ...telling,
      kinds: new Set(followed),
      onWorld(world, now) {
        const bindings = world.bindings.filter(
          (binding) =>
            (namespace === undefined || binding.metadata.namespace === namespace) && concerns(binding),
        );
        const state = { world, now, configuration, assumptions };
        // who began without what forecasts need goes on without
        const status = statusOf(state, bindings, cluster, forecast && isForecast(world, cluster));
        const changes = changesBetween(before, status);
        before = status;
        const switches = failoverSwitches(assumptions);
        print ??= changePrinter(
          failoverStatusChanges({ status, switches, assumptions, karmadaVersion, forecast }),
          flags,
        );
        const told = print;
        if (changes.length > 0) telling.tell(() => told(changes, now));
      },
    }),
  );
}
