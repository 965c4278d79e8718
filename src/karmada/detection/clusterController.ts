import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { executionNamespace } from '../api/names.ts';
import { objectKey, workKey } from '../objects/identities.ts';
import { conditionTaints, terminatingTaints } from './conditionTaints.ts';
import { startsTaintManager } from '../configuration/taintEviction.ts';
import type { Controller, Interest, ReconcileRequest, Step } from '../controllers/controller.ts';
import { instant } from '../../kubernetes/time.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import type { Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/** Milliseconds between two reconciles of a Cluster that is being deleted. */
const CLEANUP_CHECK = 10_000;

/** Milliseconds before kube-controller-manager deletes the contents of a namespace (namespaceDeletionGracePeriod). */
const BEFORE_EMPTYING = 5000;

/** Milliseconds until it retries a namespace whose objects have finalizers (half of 15 s, plus 1 s). */
const EMPTYING_AGAIN = 8000;

/** The progress of removing a deleted Cluster. Times are epoch milliseconds. */
interface RemovalMemory {
  /** when its execution namespace was deleted */
  begun: number;
  /** when kube-controller-manager next reconciles that namespace; absent: it is gone */
  emptiesAt?: number;
}

/**
 * The cluster controller: with every event of a Cluster it sets NoSchedule taints by the Ready condition, and it
 * removes deleted Clusters (pkg/controllers/cluster/cluster_controller.go).
 */
export const clusterController: Controller<RemovalMemory> = {
  wakes: {
    *Cluster({ key, after }) {
      if (after) yield { key };
    },
  },
  *resumes(view) {
    for (const { metadata } of view.all('Cluster')) yield { key: metadata.name };
  },
  reconcile(request) {
    const { key, view, now, configuration, evidence } = request;
    const cluster = view.get('Cluster', key);
    if (!cluster) return {};
    if (cluster.metadata.deletionTimestamp) return removal(request, cluster);
    const result = conditionTaints(cluster, now, configuration.rules);
    if (evidence) appendAll(evidence, result.evidence);
    return { writes: taintWrites(cluster, result.taints) };
  },
};

/**
 * One pass over a Cluster that is being deleted: taints it (up to v1.13) and deletes its execution namespace, which
 * kube-controller-manager empties seconds later. Releases the Cluster once that namespace is gone and, if the version
 * requires it, no binding names the cluster.
 */
function removal(request: ReconcileRequest<RemovalMemory>, cluster: Cluster): Step<RemovalMemory> {
  const { key, view, now, configuration, evidence } = request;
  const memory = request.memory ?? begunRemoval(request, cluster.metadata.deletionTimestamp!);
  const writes: Write[] = [];
  if (configuration.rules.taints.deletedClusters === 'terminatingTaint') {
    const result = terminatingTaints(cluster, now);
    if (evidence) appendAll(evidence, result.evidence);
    appendAll(writes, taintWrites(cluster, result.taints));
  }
  // The agent of a Pull cluster that is not Ready will not release its Works.
  const abandoned = cluster.spec?.syncMode === 'Pull' && !isReady(cluster);
  if (abandoned)
    for (const work of view.worksOn(key))
      writes.push({ verb: 'release', kind: 'Work', key: workKey(work), base: work });
  const { emptiesAt } = memory;
  if (emptiesAt !== undefined)
    return { writes, ...emptied(request, { ...memory, emptiesAt }, abandoned, writes) };
  const waits = waitsForBindings(request, configuration);
  if (!waits) return { writes: [...writes, { verb: 'release', kind: 'Cluster', key, base: cluster }] };
  return { writes, memory, requeue: { after: CLEANUP_CHECK, unless: waits } };
}

/** The progress of a removal whose beginning was not observed. */
function begunRemoval({ key, view, now }: ReconcileRequest<RemovalMemory>, deletedAt: string): RemovalMemory {
  const begun = Math.min(instant(deletedAt), now);
  // It was deleted just now: times in objects have whole seconds.
  if (now - begun < 1000) return { begun: now, emptiesAt: now + BEFORE_EMPTYING };
  const passes = Math.max(0, Math.ceil((now - begun - BEFORE_EMPTYING) / EMPTYING_AGAIN));
  const space = objectKey({ kind: 'Namespace', name: executionNamespace(key) });
  const isGone = passes > 0 && view.worksOn(key).length === 0 && !view.get('Object', space);
  return { begun, ...(!isGone && { emptiesAt: begun + BEFORE_EMPTYING + passes * EMPTYING_AGAIN }) };
}

/** kube-controller-manager empties the execution namespace when due; a pass that finds nothing in it removes it. */
function emptied(
  { key, view, now }: ReconcileRequest<RemovalMemory>,
  memory: Required<RemovalMemory>,
  abandoned: boolean,
  writes: Write[],
): Pick<Step<RemovalMemory>, 'memory' | 'requeue'> {
  const { begun, emptiesAt } = memory;
  if (now < emptiesAt) return { memory, requeue: { after: emptiesAt - now } };
  const works = abandoned ? [] : view.worksOn(key);
  if (works.length === 0) {
    const space = objectKey({ kind: 'Namespace', name: executionNamespace(key) });
    const namespace = view.get('Object', space);
    if (namespace) writes.push({ verb: 'delete', kind: 'Object', key: space, base: namespace });
    const check = CLEANUP_CHECK - ((now - begun) % CLEANUP_CHECK);
    return { memory: { begun }, requeue: { after: check } };
  }
  for (const work of works)
    if (!work.metadata.deletionTimestamp)
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
  return {
    memory: { begun, emptiesAt: now + EMPTYING_AGAIN },
    requeue: { after: EMPTYING_AGAIN, unless: [{ kind: 'Work' }] },
  };
}

/** What a deleted cluster waits for: bindings that name it, and forever without the taint manager; undefined: none. */
function waitsForBindings(
  { key, view }: ReconcileRequest<unknown>,
  configuration: Configuration,
): Interest[] | undefined {
  const { clusterRemoval } = configuration.rules.taints;
  const taintManager =
    clusterRemoval === 'waitsWithTaintManager'
      ? configuration.controllerManager['enable-taint-manager']
      : startsTaintManager(configuration);
  if (clusterRemoval === 'waitsWithTaintManager' && !taintManager) return undefined;
  if (clusterRemoval === 'waitsForeverWithoutTaintManager' && !taintManager)
    return [{ kind: 'Cluster', key }];
  return view.bindingsOn(key).length > 0 ? [{ kind: 'Binding', off: key }] : undefined;
}

function taintWrites(cluster: Cluster, taints: Taint[]): Write[] {
  const before = cluster.spec?.taints ?? [];
  if (taints === before || (taints.length === 0 && before.length === 0)) return [];
  const object: Cluster = { ...cluster, spec: { ...cluster.spec, taints } };
  const { name: key } = cluster.metadata;
  return [{ verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: cluster, object }];
}
