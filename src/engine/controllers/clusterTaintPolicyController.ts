import type { Cluster } from '../../karmada/api/cluster.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import { reconcileClusterTaintPolicies } from '../taints/clusterTaintPolicy.ts';
import { clusterTaintRefusal } from '../../karmada/validation/clusterTaints.ts';
import type { Controller, Note, Wake, WakeContext } from './controller.ts';
import type { View } from './view.ts';
import type { ChangeOf } from './write.ts';

/**
 * The ClusterTaintPolicy controller: it looks at a cluster when its conditions change, and at all target clusters of a
 * policy that is new or has another spec. A deleted policy leaves its taints, and a taint that somebody has removed by
 * hand comes back only with such a look. A taint that the Cluster API refuses makes the whole write fail, including the
 * taints of other policies, and the controller retries with back-off.
 */
export const clusterTaintPolicyController: Controller = {
  name: 'cluster-taint-policy-controller',
  runs: ({ rules, featureGates }) => rules.taints.clusterTaintPolicies && featureGates.Failover,
  wakes: { Cluster: conditionsChanged, ClusterTaintPolicy: policyChanged },
  resumes,
  look({ key, view, configuration, now, evidence, arrange }) {
    const cluster = view.get('Cluster', key);
    if (!cluster) return {};
    const result = reconcileClusterTaintPolicies({
      cluster,
      policies: [...view.all('ClusterTaintPolicy')],
      now,
      rules: configuration.rules.scheduling,
      arrange,
    });
    const notes = result.contested.map(({ taint }): Note => ({
      type: 'FreeChoice',
      cluster: key,
      taint,
      choice: 'order of policies',
    }));
    const open = notes.length > 0 ? { notes } : {};
    if (!result.changed) return open;
    evidence?.push(...result.evidence);
    const refusal = clusterTaintRefusal(key, result.taints, configuration.rules.admission);
    if (refusal !== undefined)
      return {
        ...open,
        failure: {
          reason: 'TaintClusterFailed',
          message: refusal,
          unless: [{ kind: 'Cluster', key }, { kind: 'ClusterTaintPolicy' }],
        },
      };
    return {
      ...open,
      writes: [
        {
          verb: 'update',
          kind: 'Cluster',
          key,
          part: 'object',
          lock: configuration.rules.taints.clusterTaintPolicyPatch === 'locked',
          base: cluster,
          object: { ...cluster, spec: { ...cluster.spec, taints: result.taints } },
        },
      ],
    };
  },
};

function* conditionsChanged({ key, before, after }: ChangeOf<'Cluster'>): Iterable<Wake> {
  if (after && !(before && deepEqual(before.status?.conditions, after.status?.conditions))) yield { key };
}

function* policyChanged({ before, after }: ChangeOf<'ClusterTaintPolicy'>, view: View): Iterable<Wake> {
  if (!after || (before && deepEqual(before.spec, after.spec))) return;
  const { targetClusters } = after.spec;
  for (const cluster of view.all('Cluster'))
    if (!targetClusters || view.fleet.affinities.matches(cluster, targetClusters))
      yield { key: cluster.metadata.name };
}

/** Milliseconds after which the controller has certainly seen a change. */
const SEEN_BY_NOW = 5000;

/**
 * Only clusters that changed a moment before the capture: others may lack a taint because somebody removed it by hand.
 */
function* resumes(view: View, { now }: WakeContext): Iterable<Wake> {
  const justNow = (time: string | null | undefined) => time && now - instant(time) < SEEN_BY_NOW;
  const newPolicy = [...view.all('ClusterTaintPolicy')].some(({ metadata }) =>
    justNow(metadata.creationTimestamp),
  );
  const changed = ({ status }: Cluster) =>
    status?.conditions?.some(({ lastTransitionTime }) => justNow(lastTransitionTime));
  for (const cluster of view.all('Cluster'))
    if (newPolicy || changed(cluster)) yield { key: cluster.metadata.name };
}
