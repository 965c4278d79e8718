import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Member, StaleInformers } from '../../karmada/controllers/kinds.ts';
import { longestBackOff } from '../../karmada/detection/relist.ts';
import { unnoticed } from '../../karmada/detection/unnoticed.ts';
import { type ClaimGroup, claimGroups, templateGroups } from '../../karmada/objects/claims.ts';
import { neededBy } from '../../karmada/objects/dependents.ts';
import { bindingKey, objectKey, snapshotKey } from '../../karmada/objects/identities.ts';
import { managerStart } from '../../karmada/works/workConditions.ts';
import { hasRecovered, isReady, readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { entitledClusters } from '../../karmada/eviction/works.ts';
import { bindingPermanentId, clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { type ClusterSnapshot, createClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../karmada/scheduling/schedulerOptions.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { declaredHooks, kindKey } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks, InterpretedKind } from '../../karmada/controllers/view.ts';
import type { ResumableWorld } from './savedSimulation.ts';
import { deriveCopy, staleAtStart } from './derivedCopy.ts';
import { deriveWorks, withAggregatedStatus } from './derivedWorks.ts';
import { compareAge, mapByKey, firstOf, keysByGroup } from './indexes.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import {
  capturedWorks,
  impliedWorks,
  startingObjects,
  type StartingObjects,
  type StartingWorks,
} from './startingWorks.ts';
import { keyOf } from '../../karmada/controllers/keys.ts';
import { templateOf } from '../../karmada/works/workManifest.ts';
import type { Controller, Wake, WakeContext } from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { reportsOwnCounts } from '../../karmada/status/reportedStatus.ts';

/**
 * A captured world, completed and indexed: implied objects are derived only from the capture, and each index is built
 * once. It is immutable, and shared by all simulations that start from it.
 */
export interface StartingWorld extends StartingWorks, StartingObjects {
  readonly world: ResumableWorld;
  /** epoch milliseconds from which controllers continue with it */
  readonly start: number;
  readonly configuration: Configuration;
  /** the assumed behaviour of members */
  readonly members: MemberAssumptions;
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** oldest first, then by namespace and name: the order where Karmada does not guarantee one */
  readonly bindings: ReadonlyMap<string, ResourceBinding>;
  /** the place of a binding in that order */
  rank(key: string): number | undefined;
  readonly taintPolicies: ReadonlyMap<string, ClusterTaintPolicy>;
  readonly hooks: DeclaredHooks;
  /**
   * a raw status reported by an object of the kind, for kinds whose whole status Karmada reflects; undefined if none
   * was reported
   */
  sampleStatus(kind: InterpretedKind): unknown;
  /** the same for all kinds, by "apiVersion/kind" */
  sampleStatuses(): ReadonlyMap<string, unknown>;
  /** the capture omitted its Works; they are inferred from the bindings */
  readonly impliesWorks: boolean;
  readonly fleet: ClusterSnapshot;
  /** the keys that a controller reconciles when it continues from this start */
  readonly resumed: Resumption;
  /** keys of the bindings whose spec.clusters names a cluster, in order */
  on(cluster: string): readonly string[];
  /** keys of the bindings with a copy on a cluster (`entitledClusters`): dependents and old copies too, in order */
  entitled(cluster: string): readonly string[];
  /** keys of the bindings with a task from a cluster, in order */
  leaving(cluster: string): readonly string[];
  /** the key of the binding for a resource, by `objectKey` */
  bindingFor(resource: string): string | undefined;
  /** the key of the binding with a permanent id */
  bindingWithId(id: string): string | undefined;
  /** keys of the bindings whose requiredBy names a binding, by `snapshotKey`, in order */
  attachedTo(parent: string): readonly string[];
  /** keys of the bindings with propagateDeps that need an object, by `objectKey`, in order */
  needing(object: string): readonly string[];
  /** keys of the bindings in a group (`claimGroups`), in order */
  bindingsIn(group: ClaimGroup): readonly string[];
  /** keys of the templates in a group (`claimGroups`), in order */
  templatesIn(group: ClaimGroup): readonly string[];
  /** keys of the objects of a kind, in order */
  objectsOf(kind: string): readonly string[];
}

/** Throws InvalidQuantity for a cluster's invalid quantities. */
export function createStartingWorld(
  world: ResumableWorld,
  configuration: Configuration,
  { start, members }: { start: number; members: MemberAssumptions },
): StartingWorld {
  const clusters = mapByKey(world.clusters, (cluster) => keyOf('Cluster', cluster));
  const sorted = [...world.bindings].sort(compareAge);
  const capturedBindings = new Map(sorted.map((binding) => [bindingKey(binding), binding]));
  const ranks = lazily(() => new Map([...bindings.keys()].map((key, at) => [key, at])));
  const on = lazily(() => keysByGroup(bindings, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name)));
  const { rules } = configuration;
  const entitled = lazily(() => keysByGroup(bindings, ({ spec }) => entitledClusters(spec, rules)));
  const leaving = lazily(() =>
    keysByGroup(bindings, ({ spec }) =>
      (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster),
    ),
  );
  const attached = lazily(() =>
    keysByGroup(bindings, ({ spec }) => (spec.requiredBy ?? []).map(snapshotKey)),
  );
  const needing = lazily(() => keysByGroup(bindings, neededBy));
  const claimed = lazily(() =>
    keysByGroup(bindings, ({ spec, metadata }) => claimGroups(spec.resource, metadata)),
  );
  const byResource = lazily(() => firstOf(bindings, ({ spec }) => objectKey(spec.resource)));
  const byId = lazily(() => firstOf(capturedBindings, (binding) => bindingPermanentId(binding.metadata)));
  const bindingWithId = (id: string) => byId().get(id);
  const others = mapByKey(world.others, (object) => keyOf('Object', object));
  const templates = lazily(() => keysByGroup(others, templateGroups));
  const kinds = lazily(() => keysByGroup(others, ({ kind }) => [kind]));
  const hooks = declaredHooks(world.others, configuration.rules);
  const captured = world.works.length > 0 || world.simulation !== undefined;
  const works = captured
    ? capturedWorks(world.works, capturedBindings, clusters, bindingWithId, configuration.rules)
    : impliedWorks(capturedBindings, clusters, configuration.rules, (binding) => {
        const template = templateOf(binding, (key) => others.get(key));
        return deriveWorks(binding, template, members, start, configuration.rules, hooks);
      });
  const bindings = world.simulation
    ? capturedBindings
    : mapped(capturedBindings, (binding, key) => withAggregatedStatus(binding, () => works.works(key)));
  const saved = world.simulation;
  const samples = lazily(() =>
    saved?.reported ? new Map(Object.entries(saved.reported)) : sampleStatuses(bindings.values()),
  );
  const taintPolicies = mapByKey(world.taintPolicies, (policy) => keyOf('ClusterTaintPolicy', policy));
  const copyOf = (key: string, work: Work) => {
    const owner = works.ownerOf(key);
    const binding = owner === undefined ? undefined : bindings.get(owner);
    return deriveCopy(
      work,
      binding,
      clusters.get(clusterOfWork(work) ?? ''),
      members,
      start,
      hooks,
      configuration,
    );
  };
  const fleetCounts = world.clusters.some(countsPods);
  const staleMember = (cluster: Cluster) => {
    const worksOn = () => works.worksOn(cluster.metadata.name).map((key) => works.work(key)!);
    return captured ? staleAtStart(cluster, worksOn, start) : undefined;
  };
  const handledSince = lazily(() => managerStart(world.works));
  const objects = startingObjects(
    {
      Cluster: clusters,
      Binding: bindings,
      ClusterTaintPolicy: taintPolicies,
      Policy: mapByKey(world.policies, (policy) => keyOf('Policy', policy)),
      Object: others,
      // Members exist longer than their Clusters.
      Member: saved
        ? mapByKey(Object.values(saved.members), ({ name }) => name)
        : new Map(
            [...clusters].map(([name, cluster]) => [
              name,
              {
                ...memberOf(cluster, staleMember(cluster), handledSince(), start, configuration),
                // If other clusters report allocated pods, a member that reports none has none.
                ...(fleetCounts && !countsPods(cluster) && { allocated: {} }),
              },
            ]),
          ),
    },
    works,
    saved ? saved.copies : copyOf,
  );
  return {
    world,
    start,
    configuration,
    members,
    clusters,
    bindings,
    rank: (key) => ranks().get(key),
    taintPolicies,
    ...objects,
    resumed: createResumption({ configuration, now: start }),
    hooks,
    sampleStatus: (kind) => samples().get(kindKey(kind)),
    sampleStatuses: samples,
    impliesWorks: !captured,
    fleet: createClusterSnapshot([...clusters.values()], schedulerOptions(configuration)),
    leaving: (cluster) => leaving().get(cluster) ?? [],
    on: (cluster) => on().get(cluster) ?? [],
    entitled: (cluster) => entitled().get(cluster) ?? [],
    attachedTo: (parent) => attached().get(parent) ?? [],
    needing: (object) => needing().get(object) ?? [],
    bindingsIn: (group) => claimed().get(group) ?? [],
    templatesIn: (group) => templates().get(group) ?? [],
    objectsOf: (kind) => kinds().get(kind) ?? [],
    bindingFor: (resource) => byResource().get(resource),
    bindingWithId,
    ...works,
  };
}

function mapped<T>(entries: ReadonlyMap<string, T>, to: (value: T, key: string) => T): Map<string, T> {
  return new Map(Array.from(entries, ([key, value]) => [key, to(value, key)]));
}

/** Whether a cluster reports the resources allocated by its pods. */
export function countsPods({ status }: Cluster): boolean {
  return Object.keys(status?.resourceSummary?.allocated ?? {}).length > 0;
}

/**
 * A member is assumed to be as Karmada last observed it, and to have failed some time before Karmada noticed; its agent
 * runs if the conditions say so.
 */
function memberOf(
  cluster: Cluster,
  stale: StaleInformers | undefined,
  handledSince: number | undefined,
  start: number,
  configuration: Configuration,
): Member {
  const ready = readyCondition(cluster);
  const up = isReady(cluster);
  const since = ready?.lastTransitionTime ? instant(ready.lastTransitionTime) : 0;
  const isPull = cluster.spec?.syncMode === 'Pull';
  const failed = () => Math.max(0, since - unnoticed(ready!.status, isPull, 0.5, configuration));
  return {
    name: cluster.metadata.name,
    up,
    ...(!up && since > 0 && { downSince: failed() }),
    ...(stale && { stale }),
    ...(!isPull && handledSince !== undefined && { handledSince }),
    ...(!isPull && hasRecovered(cluster, start) && { grown: longestBackOff(since) }),
    // An agent that reports its member's failure was running before.
    ...(isPull && {
      agent: ready?.status === 'False' ? { running: true, since: failed() } : { running: up, since },
    }),
  };
}

/**
 * The keys that a controller reconciles when it continues from a start; computed once for all simulations that share
 * it.
 *
 * @param view the start, before anything is written to it
 */
type Resumption = (controller: Controller, view: View, unseen: WakeContext['unseen']) => readonly Wake[];

/** Computes nothing before the first call. */
function createResumption(context: Pick<WakeContext, 'configuration' | 'now'>): Resumption {
  const known = new Map<Controller['resumes'], { unseen: WakeContext['unseen']; wakes: readonly Wake[] }>();
  return ({ resumes }, view, unseen) => {
    const before = known.get(resumes);
    if (before && before.unseen === unseen) return before.wakes;
    const wakes = [...(resumes?.(view, { ...context, ...(unseen && { unseen }) }) ?? [])];
    known.set(resumes, { unseen, wakes });
    return wakes;
  };
}

/**
 * Samples of the status of kinds whose whole status Karmada reflects, by "apiVersion/kind": the raw status of the first
 * Healthy object. Reports of new copies of the kind have the same fields.
 */
export function sampleStatuses(bindings: Iterable<ResourceBinding>): Map<string, unknown> {
  const samples = new Map<string, unknown>();
  for (const { spec, status } of bindings) {
    const kind = kindKey(spec.resource);
    if (samples.has(kind) || !reportsOwnCounts(spec.resource)) continue;
    const reported = status?.aggregatedStatus?.find((item) => item.health === 'Healthy' && item.status);
    if (reported) samples.set(kind, reported.status);
  }
  return samples;
}
