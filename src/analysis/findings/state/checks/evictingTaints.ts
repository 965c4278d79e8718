import { whenFlagDecides } from '../../../../karmada/dialects/componentFlags.ts';
import { evictingEffects } from '../../../../karmada/taints/evictingTaints.ts';
import { taintsOnFailure } from '../../../explanation/failoverSwitch.ts';
import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../../karmada/api/policy.ts';
import { formatTaint } from '../../../../kubernetes/tolerations.ts';
import type { Examined } from '../examined.ts';
import { clusterObject, finding, firstNames, firstObjectNames } from '../about.ts';
import { isWanted } from '../failoverWanted.ts';
import { startWith } from '../remedies.ts';
import type { Remedy, StateCheck } from '../stateCheck.ts';

const READY_POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'evict-failed-clusters' },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }],
  },
} satisfies ClusterTaintPolicy;

const { addOnConditions, removeOnConditions } = READY_POLICY.spec;

/** The policies that would remove the taint that a new policy adds to a failing cluster; none if both can coexist. */
function rivalsOf(policy: ClusterTaintPolicy, { world, now, configuration }: Examined): ObjectIdentity[] {
  const beside = [...world.taintPolicies, policy];
  const works = world.clusters.every(
    (one) => taintsOnFailure(one, beside, now, configuration).taints.length > 0,
  );
  const keys = new Set((policy.spec.taints ?? []).map(formatTaint));
  return works
    ? []
    : world.taintPolicies
        .filter(({ spec }) => spec.taints?.some((one) => keys.has(formatTaint(one))))
        .map(({ metadata: { name } }) => ({ kind: READY_POLICY.kind, name }));
}

/** A policy change with NoExecute, preceded by the setting that makes the webhook accept it. */
function allowed(seen: Examined, { text, ...change }: Remedy): Remedy {
  if (seen.configuration.webhook['allow-no-execute-taint-policy']) return { text, ...change };
  const { commands = [], patches = [] } = startWith('webhook', '--allow-no-execute-taint-policy=true', seen);
  return {
    ...change,
    text: `let karmada-webhook allow NoExecute, then ${text}`,
    ...(commands.length > 0 && { commands }),
    ...((patches.length > 0 || change.patches) && { patches: [...patches, ...(change.patches ?? [])] }),
  };
}

export const noEvictingTaint: StateCheck = {
  id: 'no-evicting-taint',
  severity: 'error',
  theme: 'chain',
  title: 'nothing adds an evicting taint to a cluster that fails',
  help: 'Since v1.14 Karmada itself adds only NoSchedule taints, which evict nothing: a ClusterTaintPolicy must add a NoExecute taint while Ready is not True. karmada-webhook must run with --allow-no-execute-taint-policy=true for that.',
  needs: ['Cluster', 'ClusterTaintPolicy', 'Configuration'],
  versions: 'from v1.14.0 on',
  symptoms: ['a NotReady cluster has only not-ready:NoSchedule, and its workloads stay'],
  issues: [6925, 6951, 6317],
  find: (seen) => {
    const { configuration, world } = seen;
    if (configuration.rules.taints.failureTaints === 'automatic') return [];
    const uncovered = world.clusters
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .filter((one) => taintsOnFailure(one, world.taintPolicies, seen.now, configuration).taints.length === 0)
      .map(({ metadata }) => metadata.name);
    if (uncovered.length === 0) return [];
    const all = uncovered.length === world.clusters.length;
    const rivals = rivalsOf(READY_POLICY, seen);
    const effects = evictingEffects(configuration.rules);
    return finding(
      uncovered.map((name) => clusterObject(name)),
      all
        ? `failover is manual: no ClusterTaintPolicy puts a ${effects} taint on a cluster that is not Ready, and ${seen.karmadaVersion} adds none itself`
        : `no ClusterTaintPolicy would evict ${firstNames(uncovered)} when it fails`,
      {
        rule: `a ${effects} taint evicts`,
        field: 'ClusterTaintPolicy spec.taints',
        value: world.taintPolicies.map(({ metadata }) => metadata.name),
      },
      configuration.rules.api.taintPolicyForm === 'windows'
        ? { text: `create a ClusterTaintPolicy that adds a ${effects} taint while Ready is not True` }
        : allowed(
            seen,
            rivals.length > 0
              ? {
                  text: `let ${firstNames(rivals.map(({ name }) => name))} add the taint while Ready is not True`,
                  patches: rivals.map((object) => ({
                    target: { apiVersion: READY_POLICY.apiVersion, ...object },
                    merge: { spec: { addOnConditions, removeOnConditions } },
                  })),
                }
              : {
                  text: 'create a ClusterTaintPolicy for clusters that are not Ready',
                  creates: [READY_POLICY],
                },
          ),
      !isWanted(seen) ? 'note' : all ? 'error' : 'warning',
    );
  },
};

export const webhookRefusesNoExecute: StateCheck = {
  id: 'webhook-refuses-no-execute',
  severity: 'warning',
  theme: 'chain',
  title: 'karmada-webhook refuses changes of policies with NoExecute',
  help: 'Without --allow-no-execute-taint-policy=true on karmada-webhook, ClusterTaintPolicies with NoExecute can be neither created nor changed, only deleted. Those that exist work.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  flags: ['allow-no-execute-taint-policy'],
  versions: whenFlagDecides('webhook', 'allow-no-execute-taint-policy'),
  symptoms: ['admission webhook denied the request: … NoExecute'],
  issues: [6390],
  find: (seen) => {
    const { configuration, unverified: unverified, world } = seen;
    if (
      !configuration.rules.taints.clusterTaintPolicies ||
      configuration.rules.api.taintPolicyForm === 'windows'
    )
      return [];
    if (configuration.webhook['allow-no-execute-taint-policy']) return [];
    if (unverified.has('allow-no-execute-taint-policy')) return [];
    const policies = world.taintPolicies.filter(({ spec }) =>
      spec.taints?.some(({ effect }) => effect === 'NoExecute'),
    );
    if (policies.length === 0) return [];
    const objects = policies.map(({ metadata }) => ({ kind: 'ClusterTaintPolicy', name: metadata.name }));
    return finding(
      objects,
      `karmada-webhook runs without --allow-no-execute-taint-policy=true: ${firstObjectNames(objects)} cannot be changed or created again`,
      { rule: 'the webhook refuses NoExecute', field: 'allow-no-execute-taint-policy', value: false },
      startWith('webhook', '--allow-no-execute-taint-policy=true', seen),
    );
  },
};
