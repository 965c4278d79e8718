import type { Cluster } from '../../karmada/api/cluster.ts';
import { conditionTaints } from '../taints/conditionTaints.ts';
import { clusterOfWork } from './keys.ts';
import type { Controller } from './controller.ts';

/**
 * The cluster controller: NoSchedule taints by the Ready condition, looked at with every event of a Cluster, and the end of a
 * Cluster that is deleted, once no Work is left for it (Karmada v1.18, pkg/controllers/cluster/cluster_controller.go).
 */
export const clusterController: Controller = {
  name: 'cluster-controller',
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
  look({ key, view, now, evidence }) {
    const cluster = view.get('Cluster', key);
    if (!cluster) return {};
    if (cluster.metadata.deletionTimestamp)
      return view.worksOn(key).length > 0
        ? {}
        : { writes: [{ verb: 'release', kind: 'Cluster', key, base: cluster }] };
    const before = cluster.spec?.taints ?? [];
    const { taints, evidence: why } = conditionTaints(cluster, now);
    if (taints === before || (taints.length === 0 && before.length === 0)) return {};
    evidence?.push(...why);
    const object: Cluster = { ...cluster, spec: { ...cluster.spec, taints } };
    return {
      writes: [{ verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: cluster, object }],
    };
  },
};
