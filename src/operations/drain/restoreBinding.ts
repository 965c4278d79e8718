import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity, snapshotKey } from '../../karmada/objects/identities.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import {
  apiPath,
  CLUSTERS,
  CLUSTER_RESOURCE_BINDINGS,
  RESOURCE_BINDINGS,
} from '../../state/live/resources.ts';
import { listWorks } from '../eviction/readWorks.ts';
import { CONFLICTS, retries } from '../retries.ts';
import { writeReturn } from '../writeBinding.ts';
import {
  type BindingCancellation,
  restore,
  returnContextOf,
  restoreDependent,
  clustersToRestore,
  type Cancelled,
} from '../../analysis/drain/back/planCancel.ts';
import type { CancelSettings } from './uncordonDrained.ts';
import { foundAt, untilAnswered } from './untilAnswered.ts';

/** How often to check whether Karmada has written a dependent's requiredBy; the pause is in milliseconds. */
const DISTRIBUTED = { pause: 250, tries: 20 };

/** Why a binding is not restored: its eviction ended first. */
export const EVICTION_ENDED = 'its eviction has already ended';

/** Inputs for restoring a binding. */
interface Surroundings {
  cancelled: Cancelled;
  /** all clusters; those of the binding are reread */
  known: Map<string, Cluster>;
  hooks: DeclaredHooks;
  configuration: Configuration;
}

/**
 * Puts a binding that is being evicted back where it still runs, in one write; after a conflict it decides again on
 * the newest state. Reports nothing if the binding is gone or the user stopped it.
 */
export async function restoreBinding(
  server: ApiServer,
  first: ResourceBinding,
  surroundings: Surroundings,
  { pause, stop, notify, unsettled }: CancelSettings,
): Promise<Pick<BindingCancellation, 'restored' | 'left' | 'held'> & { refused?: true }> {
  const { cancelled } = surroundings;
  const attached = isAttached(first.spec);
  const again = retries({ pause, signal: stop });
  for (let binding = first; ;) {
    const decided = await untilAnswered(
      server,
      (from) =>
        attached
          ? decideDependent(from, binding, cancelled, { pause, stop })
          : decideReturn(from, binding, surroundings),
      { pause, stop },
    );
    if (!decided) return {};
    const { spec, affinityName, ...done } = decided.change;
    binding = decided.binding;
    const back = done.restored?.to.map(({ name }) => name) ?? [];
    const notWritten = (reason: string) => ({
      left: { from: clustersToRestore(binding, cancelled), reason },
      refused: true as const,
    });
    const isBack = (found: ResourceBinding) => attached || isOn(found, back);
    const outcome = await writeReturn(
      server,
      binding,
      { spec, affinityName },
      {
        pause,
        signal: stop,
        holds: (found) =>
          clustersToRestore(found, { ...cancelled, clusters: new Set(back) }).length === 0 && isBack(found),
      },
    );
    switch (outcome.result) {
      case 'written':
      case 'unchanged':
        return done;
      case 'conflict':
        binding = outcome.object;
        notify({ type: 'conflict', object: bindingIdentity(binding) });
        if (stop.aborted) return {};
        if (clustersToRestore(binding, cancelled).length > 0) {
          if (await again()) continue;
          if (stop.aborted) return {};
          return notWritten(CONFLICTS);
        }
        // another client put it back, or its eviction has ended
        return isBack(binding) ? {} : { left: { from: back, reason: EVICTION_ENDED } };
      case 'gone':
        return {};
      case 'refused':
        return notWritten(`the API server refuses the change: ${outcome.message}`);
      case 'unknown':
        if (!stop.aborted) return notWritten(`the API server does not answer: ${outcome.message}`);
        unsettled.push(`${bindingIdentity(binding).kind} ${binding.metadata.name}: ${outcome.message}`);
        return {};
    }
  }
}

/**
 * Reads the inputs for restoring a binding right before the decision: earlier bindings may take a while, and a cluster
 * may be gone by now. Updates clusters in `known`.
 */
async function lookAround(
  server: ApiServer,
  binding: ResourceBinding,
  known: Surroundings['known'],
): Promise<ReadonlyMap<string, Work>> {
  const { clusters = [], gracefulEvictionTasks: tasks = [] } = binding.spec;
  const names = new Set([...clusters.map(({ name }) => name), ...tasks.map((task) => task.fromCluster)]);
  const reads = [...names].map(async (name) => {
    const cluster = await foundAt<Cluster>(server, apiPath(CLUSTERS, undefined, name));
    if (cluster) known.set(name, cluster);
    else known.delete(name);
  });
  const [works] = await Promise.all([listWorks(server, binding), ...reads]);
  return works;
}

interface DecidedReturn {
  /** as last read */
  binding: ResourceBinding;
  change: BindingCancellation;
}

async function decideReturn(
  server: ApiServer,
  binding: ResourceBinding,
  { cancelled, known, hooks, configuration }: Surroundings,
): Promise<DecidedReturn> {
  const works = await lookAround(server, binding, known);
  const context = returnContextOf([...known.values()], hooks, configuration, server.now());
  return { binding, change: restore(binding, cancelled, works, context) };
}

/** A dependent is released once its requiredBy names the cluster again. */
async function decideDependent(
  server: ApiServer,
  first: ResourceBinding,
  cancelled: Cancelled,
  { pause, stop }: Pick<CancelSettings, 'pause' | 'stop'>,
): Promise<DecidedReturn> {
  let binding = first;
  for (let tries = 0; ; tries++) {
    const parents = new Map<string, ResourceBinding>();
    for (const one of binding.spec.requiredBy ?? []) {
      const parent = await readBinding(server, one);
      if (parent) parents.set(snapshotKey(one), parent);
    }
    const change = restoreDependent(binding, cancelled, (key) => parents.get(key));
    if (!change.waiting || stop.aborted) return { binding, change };
    if (tries === DISTRIBUTED.tries) {
      const reason = 'Karmada has not yet put the cluster back into spec.requiredBy; its old copy is kept';
      return { binding, change: { ...change, left: { from: change.waiting, reason }, held: true } };
    }
    await pause(DISTRIBUTED.pause, stop);
    binding = (await readBinding(server, binding.metadata)) ?? binding;
  }
}

/** The current state of a binding; undefined if it is gone. */
export function readBinding(
  server: ApiServer,
  { namespace, name }: { namespace?: string | undefined; name: string },
): Promise<ResourceBinding | undefined> {
  const resource = namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS;
  return foundAt(server, apiPath(resource, namespace || undefined, name));
}

function isOn({ spec }: ResourceBinding, clusters: readonly string[]): boolean {
  return clusters.every((cluster) => spec.clusters?.some(({ name }) => name === cluster));
}
