import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { executionNamespace } from '../api/names.ts';
import { objectKey, workKey } from '../objects/identities.ts';
import { conditionTaints, terminatingTaints } from './conditionTaints.ts';
import { startsTaintManager } from '../configuration/taintEviction.ts';
import type { Again, Controller, Look, Step } from '../controllers/controller.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import type { Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/** Milliseconds between two looks at a Cluster that is being deleted. */
const CLEANUP_CHECK = 10_000;

/**
 * The cluster controller: with every event of a Cluster it sets NoSchedule taints by the Ready condition, and it
 * removes deleted Clusters (pkg/controllers/cluster/cluster_controller.go).
 */
export const clusterController: Controller = {
  wakes: {
    *Cluster({ key, after }) {
      if (after) yield { key };
    },
    *Work({ before, after }, view) {
      const cluster = after ? undefined : before && clusterOfWork(before);
      if (cluster !== undefined && view.get('Cluster', cluster)?.metadata.deletionTimestamp)
        yield { key: cluster };
    },
  },
  *resumes(view) {
    for (const { metadata } of view.all('Cluster')) yield { key: metadata.name };
  },
  look(request) {
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
 * One pass over a Cluster that is being deleted: taint it (up to v1.13), delete its execution namespace with all Works,
 * and once that is gone and, if the version requires it, no binding names the cluster any more, release the Cluster.
 */
function removal(request: Look<unknown>, cluster: Cluster): Step<unknown> {
  const { key, view, now, configuration, evidence } = request;
  const writes: Write[] = [];
  if (configuration.rules.taints.deletedClusters === 'terminatingTaint') {
    const result = terminatingTaints(cluster, now);
    if (evidence) appendAll(evidence, result.evidence);
    appendAll(writes, taintWrites(cluster, result.taints));
  }
  const works = view.worksOn(key);
  const namespaceKey = objectKey({ kind: 'Namespace', name: executionNamespace(key) });
  const namespace = view.get('Object', namespaceKey);
  if (namespace) writes.push({ verb: 'delete', kind: 'Object', key: namespaceKey, base: namespace });
  // The agent of a Pull cluster that is not Ready will not release its Works.
  const abandoned = cluster.spec?.syncMode === 'Pull' && !isReady(cluster);
  for (const work of works) {
    if (abandoned) writes.push({ verb: 'release', kind: 'Work', key: workKey(work), base: work });
    else if (!work.metadata.deletionTimestamp)
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
  }
  if (namespace || works.length > 0)
    return { writes, again: { after: CLEANUP_CHECK, unless: [{ kind: 'Work' }] } };
  const waits = waitsForBindings(request, configuration);
  if (waits) return { writes, again: waits };
  return { writes: [...writes, { verb: 'release', kind: 'Cluster', key, base: cluster }] };
}

/** When to look again for bindings that still name the cluster; undefined if it waits for none. */
function waitsForBindings({ key, view }: Look<unknown>, configuration: Configuration): Again | undefined {
  const { clusterRemoval } = configuration.rules.taints;
  const taintManager =
    clusterRemoval === 'waitsWithTaintManager'
      ? configuration.controllerManager['enable-taint-manager']
      : startsTaintManager(configuration);
  if (clusterRemoval === 'waitsWithTaintManager' && !taintManager) return undefined;
  const stuck = clusterRemoval === 'waitsForEverWithoutTaintManager' && !taintManager;
  if (!stuck && view.bindingsOn(key).length === 0) return undefined;
  // The next look deletes Works that come meanwhile.
  const work = { kind: 'Work' } as const;
  return { after: CLEANUP_CHECK, unless: stuck ? [work] : [{ kind: 'Binding', off: key }, work] };
}

function taintWrites(cluster: Cluster, taints: Taint[]): Write[] {
  const before = cluster.spec?.taints ?? [];
  if (taints === before || (taints.length === 0 && before.length === 0)) return [];
  const object: Cluster = { ...cluster, spec: { ...cluster.spec, taints } };
  const { name: key } = cluster.metadata;
  return [{ verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: cluster, object }];
}
