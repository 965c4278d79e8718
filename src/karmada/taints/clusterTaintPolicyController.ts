import type { Cluster } from '../api/cluster.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import { targetOf } from './policyFields.ts';
import { policyPass } from './policyPass.ts';
import { nextEnd, taintWindows, type TaintWindowMemory } from './windows/taintWindows.ts';
import { clusterTaintRefusal } from '../validation/clusterTaints.ts';
import type { Controller, Note, Step, Wake, WakeContext } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/**
 * The ClusterTaintPolicy controller: it reconciles a cluster when its conditions change, and all target clusters of a
 * policy that is new or has another spec. A deleted policy leaves its taints, and a manually removed taint returns only
 * with such a reconcile. A taint that the Cluster API refuses makes the whole write fail, including the taints of other
 * policies, and the controller retries with back-off.
 *
 * In the design optimize-cluster-failover it remembers when the conditions of each policy began to match, and
 * reconciles again when the next window ends.
 */
export const clusterTaintPolicyController: Controller<TaintWindowMemory> = {
  wakes: { Cluster: conditionsChanged, ClusterTaintPolicy: policyChanged },
  resumes,
  reconcile({ key, view, memory, configuration, now, evidence, arrange }) {
    const cluster = view.get('Cluster', key);
    if (!cluster) return {};
    const result = policyPass({
      cluster,
      policies: [...view.all('ClusterTaintPolicy')],
      memory,
      now,
      rules: configuration.rules,
      arrange,
    });
    const notes = result.contested.map(({ taint }): Note => ({
      type: 'FreeChoice',
      cluster: key,
      taint,
      choice: 'order of policies',
    }));
    const open: Step<TaintWindowMemory> = {
      ...(notes.length > 0 && { notes }),
      ...(result.memory && { memory: result.memory }),
      ...(result.nextEnd !== undefined && { requeue: { after: result.nextEnd - now } }),
    };
    if (!result.changed) return open;
    if (evidence) appendAll(evidence, result.evidence);
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
  const target = targetOf(after);
  for (const cluster of view.all('Cluster'))
    if (!target || view.fleet.affinities.matches(cluster, target)) yield { key: cluster.metadata.name };
}

/** Milliseconds after which the controller has definitely seen a change. */
const SEEN_BY_NOW = 5000;

/**
 * A process that has just started reconciles every cluster. A continuing one reconciles those that changed shortly
 * before the capture (others may lack a taint because it was removed manually), and at the end of each running window.
 */
function* resumes(view: View, { configuration, now, unseen }: WakeContext): Iterable<Wake> {
  const policies = [...view.all('ClusterTaintPolicy')];
  const justNow = (time: string | null | undefined) => time && now - instant(time) < SEEN_BY_NOW;
  const newPolicy = policies.some(({ metadata }) => justNow(metadata.creationTimestamp));
  const changed = ({ status }: Cluster) =>
    status?.conditions?.some(({ lastTransitionTime }) => justNow(lastTransitionTime));
  const { api, scheduling } = configuration.rules;
  for (const cluster of view.all('Cluster')) {
    const { name: key } = cluster.metadata;
    const atOnce = !unseen || newPolicy || changed(cluster);
    if (api.taintPolicyForm === 'windows' && unseen) {
      const { windows, memory } = taintWindows(cluster, policies, undefined, now, scheduling);
      if (!memory) continue;
      const end = nextEnd(windows, now - SEEN_BY_NOW);
      if (atOnce) yield { key, memory };
      else yield { key, memory, ...(end === undefined ? { idle: true } : { after: Math.max(0, end - now) }) };
    } else if (atOnce) yield { key };
  }
}
