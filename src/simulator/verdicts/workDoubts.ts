import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Work } from '../../karmada/api/work.ts';
import {
  appliedRefusal,
  failingSinceStart,
  isDeletionUndelivered,
  mayBeStale,
  mayBeUnreportedAfterRecovery,
} from '../../karmada/works/workConditions.ts';
import { informerOf, staleUntil } from '../../karmada/detection/memberAccess.ts';
import { orphanedWorks } from '../../karmada/eviction/works.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, workKey } from '../../karmada/objects/identities.ts';
import { placedOn, targetClusters } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { isUnreported } from '../../karmada/works/bindingController.ts';
import { isRemovalOverdue } from '../../karmada/works/executionController.ts';
import { appliedEarlier } from '../store/derivedCopy.ts';
import { missingKind } from '../../karmada/world.ts';
import { SECOND } from '../../kubernetes/time.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { type Doubt, type Doubts, estimate, type JudgedWorkload, relisted } from './doubt.ts';

/** Doubts about the progress of controllers and members with a workload's Works, which the state does not show. */
export function workDoubts(start: StartingWorld): Doubts[] {
  const worksAreKnown = missingKind(start.world, 'Work') === undefined && !start.impliesWorks;
  return [
    ofStarting(start),
    ofImplied(start),
    ...(worksAreKnown ? [ofUnwritten(start), ofLaterWorks(start)] : []),
    ofRefusals(start),
    ofReleases(start),
    ofRestart(start),
    ofOthersObjects(start),
    ofSilence(start),
    ofRemovals(start),
    ofRemains,
  ];
}

/** Doubts about objects that members refused at the start. */
function ofRefusals(start: StartingWorld): Doubts {
  return onEachCluster(start, isRefused, (cluster) =>
    estimate(
      `whether ${cluster} still refuses the Work, which could not be applied when the state was captured`,
    ),
  );
}

/** Doubts about preserved objects that Karmada could not release before their member recovered. */
function ofReleases(start: StartingWorld): Doubts {
  const isReleased = (work: Work, cluster: Cluster | undefined) =>
    work.spec?.preserveResourcesOnDeletion === true &&
    cluster !== undefined &&
    mayBeStale(cluster, start.start) &&
    isDeletionUndelivered(work, cluster);
  return onEachCluster(start, isReleased, (cluster) =>
    estimate(
      `when the Work on ${cluster} is removed: Karmada’s copy of its object may be stale, and then the retry time is unknown`,
    ),
  );
}

/** Doubts about Works that have failed since the controller manager restarted. */
function ofRestart(start: StartingWorld): Doubts {
  const hasFailed = (work: Work, cluster: Cluster | undefined) =>
    failingSinceStart(cluster, cluster && start.get('Member', cluster.metadata.name)) !== undefined ||
    appliedRefusal(work) === 'no informers';
  return onEachCluster(start, hasFailed, (cluster) =>
    estimate(
      `when the Work on ${cluster} is written or removed: it has failed since karmada-controller-manager restarted, retry time unknown`,
    ),
  );
}

/** Doubts about a recovered cluster: until informers relist it, Karmada does not know its copies. */
function ofSilence(start: StartingWorld): Doubts {
  const isUnread = (work: Work, cluster: Cluster | undefined) =>
    mayBeUnreportedAfterRecovery(work, cluster, start.start);
  return onEachCluster(start, isUnread, relisted);
}

/** Doubts about Works that were not removed at the retry that should have removed them. */
function ofRemovals(start: StartingWorld): Doubts {
  const seen = { view: start, now: start.start, configuration: start.configuration };
  const isOverdue = (work: Work, cluster: Cluster | undefined) =>
    isRemovalOverdue(seen, work, cluster?.metadata.name ?? '');
  return onEachCluster(start, isOverdue, (cluster) =>
    estimate(
      `when the Work on ${cluster} is removed: Karmada should have removed it already, and its retry time is unknown`,
    ),
  );
}

/** One doubt for each cluster with a matching Work that controllers may still have to act on. */
function onEachCluster(start: StartingWorld, isSo: AboutWork, doubt: (cluster: string) => Doubt): Doubts {
  const clusters = lazily(() => openAtStart(start, isSo));
  return ({ key }) => (clusters().get(key) ?? []).map(doubt);
}

type AboutWork = (work: Work, cluster: Cluster | undefined) => boolean;

/** Doubts about unmanaged objects with a workload's name in a member: nothing reports their replicas. */
function ofOthersObjects(start: StartingWorld): Doubts {
  const anothers = lazily(() => openAtStart(start, (work) => appliedRefusal(work) === 'already exists'));
  return ({ key, initial }) => {
    const clusters = initial.spec.replicas ? (anothers().get(key) ?? []) : [];
    if (clusters.length === 0) return [];
    return [
      estimate(
        `the object of the same name on ${clusters.join(', ')}: Karmada did not create it and reports no status; it counts as ready`,
      ),
    ];
  };
}

/** Those clusters by binding. */
function openAtStart(start: StartingWorld, isSo: AboutWork): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of start.openWorks()) {
    const work = start.get('Work', key)!;
    const owner = start.ownerOf(key);
    const cluster = clusterOfWork(work)!;
    if (owner !== undefined && isSo(work, start.clusters.get(cluster)))
      found.set(owner, [...(found.get(owner) ?? []), cluster]);
  }
  return found;
}

/**
 * Whether a cluster is Ready and refused a Work for another reason than an unmanaged object: the result of the next
 * attempt depends on the member.
 */
function isRefused(work: Work, cluster: Cluster | undefined): boolean {
  const refusal = appliedRefusal(work);
  if (refusal === undefined || refusal === 'already exists' || refusal === 'no informers') return false;
  return !work.metadata.deletionTimestamp && isReady(cluster);
}

/** The doubt about leftovers in earlier members, which no Work shows. */
function ofRemains({ initial: { spec }, evicted }: JudgedWorkload): Doubt[] {
  const comesAgain = evicted || placedOn(spec).length === 0 || spec.gracefulEvictionTasks?.length;
  if (!spec.preserveResourcesOnDeletion || !comesAgain) return [];
  return [
    estimate('earlier copies that members may still run (preserveResourcesOnDeletion): no Work shows them'),
  ];
}

/** Doubts about when starting replicas were applied, and when Karmada sees them ready. */
function ofStarting(start: StartingWorld): Doubts {
  return ({ key, initial, evicted }) => {
    if (!evicted) return [];
    const unseen = [...start.works(key)].filter(([cluster, work]) => {
      const copy = start.get('Copy', workKey(work));
      return copy?.readyAt !== undefined && staleUntil(start, cluster, informerOf(copy.object), start.start);
    });
    const unsure = [...start.works(key)].filter(
      ([cluster, work]) =>
        start.get('Copy', workKey(work))?.readyAt !== undefined &&
        appliedEarlier(work, initial, cluster) > SECOND,
    );
    return [
      ...unseen.map(([cluster]) => relisted(cluster)),
      ...unsure.map(([cluster]) =>
        estimate(`when the replicas on ${cluster} started: the state shows only the latest possible time`),
      ),
    ];
  };
}

/**
 * Works that the placement requires and the state lacks, or that are still being deleted: the time of the retry is only
 * in the binding controller's queue, and a lost Work is not written before the spec changes.
 */
function ofUnwritten(start: StartingWorld): Doubts {
  return ({ key, initial }) => {
    if (!start.bindings.has(key)) return []; // The binding was created later, and so were its Works.
    const works = start.works(key);
    // It is new: the binding controller has not reconciled it yet.
    if (works.size === 0 && isUnreported(initial.status)) return [];
    const open = targetClusters(initial.spec).filter(({ name }) => {
      const work = works.get(name);
      return !work || work.metadata.deletionTimestamp;
    });
    return open.map(({ name }) =>
      estimate(
        works.has(name)
          ? `when the Work on ${name} is recreated: the old one is being deleted, and its retry time is unknown`
          : `whether the Work on ${name} is still created: the state lacks it, and the retry time of the binding controller is unknown`,
      ),
    );
  };
}

/** Works that their bindings do not require and that are newer than the bindings: the Works were read later. */
function ofLaterWorks(start: StartingWorld): Doubts {
  const { rules } = start.configuration;
  return ({ key }) => {
    const binding = start.bindings.get(key);
    if (!binding) return [];
    return orphanedWorks(binding, start.works(key), rules).later.map((cluster) =>
      estimate(
        `whether the Work on ${cluster} still exists: its binding does not ask for it and was last scheduled before; capture the state again`,
      ),
    );
  };
}

/** The same for a state without Works. */
function ofImplied(start: StartingWorld): Doubts {
  const unwritten = lazily(() => perhapsUnwritten(start));
  return ({ key }) =>
    (unwritten().get(key) ?? []).map((cluster) =>
      estimate(
        `whether the Work on ${cluster} has been written: the binding is not fully applied, and the state has no Works; add them to it`,
      ),
    );
}

/** The clusters by binding: a binding that is not fully applied may lack a Work that its placement requires. */
function perhapsUnwritten({ world, impliesWorks }: StartingWorld): ReadonlyMap<string, string[]> {
  const open = new Map<string, string[]>();
  if (!impliesWorks) return open;
  for (const binding of world.bindings) {
    const { conditions, aggregatedStatus = [] } = binding.status ?? {};
    if (conditionOf(conditions, 'FullyApplied')?.status !== 'False') continue;
    const applied = new Set(aggregatedStatus.flatMap((one) => (one.applied ? [one.clusterName] : [])));
    const clusters = targetClusters(binding.spec).map(({ name }) => name);
    open.set(
      bindingKey(binding),
      clusters.filter((name) => !applied.has(name)),
    );
  }
  return open;
}
