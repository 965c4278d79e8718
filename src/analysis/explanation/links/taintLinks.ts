import type { Cluster } from '../../../karmada/api/cluster.ts';
import { CLUSTER_CONDITION_READY } from '../../../karmada/api/names.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { evictingEffects, evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import { taintsOnFailure } from '../failoverSwitch.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { nameList } from '../nameList.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';

/** The taints that evict which a cluster has, or would get when it fails. */
export function expectedTaints(cluster: Cluster, { taintPolicies, configuration, now }: LinkQuestion) {
  const present = evictingTaints(cluster.spec?.taints, configuration.rules);
  if (present.length > 0) return { taints: present, evidence: [], present: true };
  return { ...taintsOnFailure(cluster, taintPolicies, now, configuration), present: false };
}

/** Clusters that a sentence names one by one. */
const MOST_NAMED = 5;

/** A policy or a person must add a NoExecute taint to the cluster; up to v1.13 Karmada itself does. */
export function taintLinks(question: LinkQuestion): FailoverLink[] {
  const expected = question.clusters.map((cluster) => ({ cluster, ...expectedTaints(cluster, question) }));
  const byTaints = (found: typeof expected) => {
    const groups = new Map<string, typeof expected>();
    for (const one of found) {
      const text = one.taints.map(formatTaint).join(', ');
      groups.set(text, [...(groups.get(text) ?? []), one]);
    }
    return [...groups].map(([taints, group]) => ({
      taints,
      names: nameList(
        group.map(({ cluster }) => cluster.metadata.name),
        MOST_NAMED,
      ),
      evidence: group.flatMap(({ evidence }) => evidence),
    }));
  };
  const links: FailoverLink[] = [];
  for (const { taints, names } of byTaints(expected.filter(({ present }) => present)))
    links.push(holds('no-execute-taint', `${names}: ${taints} is there`));
  const gets = expected.filter(({ present, taints }) => !present && taints.length > 0);
  const waits = gets.filter(({ cluster }) => isStale(cluster));
  for (const { taints, names, evidence } of byTaints(gets.filter((one) => !waits.includes(one))))
    links.push(holds('no-execute-taint', `${names} would get ${taints} on failing`, evidence));
  for (const { taints, names, evidence } of byTaints(waits))
    links.push({
      id: 'no-execute-taint',
      state: 'limits',
      text: `${names} is not Ready and has no ${evictingEffects(question.configuration.rules)} taint yet; ${taints} is to come`,
      evidence,
    });
  const never = expected.filter(({ taints }) => taints.length === 0).map(({ cluster }) => cluster);
  if (never.length > 0) links.push(untaintedLink(never, question));
  return links;
}

function untaintedLink(
  clusters: Cluster[],
  { binding, taintPolicies: policies, unreadTaintPolicies: missing, configuration }: LinkQuestion,
): FailoverLink {
  const names = nameList(
    clusters.map(({ metadata }) => metadata.name),
    MOST_NAMED,
  );
  if (configuration.rules.taints.failureTaints === 'automatic')
    return {
      id: 'no-execute-taint',
      state: 'broken',
      text: `Failover=false: Karmada puts no NoExecute taint on ${names} when it fails`,
      fix: 'start karmada-controller-manager with --feature-gates=Failover=true',
      evidence: [{ rule: 'failed clusters are tainted only with the gate', field: 'Failover', value: false }],
    };
  if (missing !== undefined)
    return {
      id: 'no-execute-taint',
      state: 'unknown',
      text: `whether a ClusterTaintPolicy puts a ${evictingEffects(configuration.rules)} taint on ${names} when it fails could not be read`,
      fix: `needed is ${missing}`,
      evidence: [{ rule: 'ClusterTaintPolicies could not be read', certainty: 'unknown', missing }],
    };
  const { rules } = configuration;
  const effects = evictingEffects(rules);
  const pull = clusters.every(({ spec }) => spec?.syncMode === 'Pull');
  const windows = rules.api.taintPolicyForm === 'windows';
  // The design has no such flag.
  const allowed = windows ? '' : ' (karmada-webhook needs --allow-no-execute-taint-policy=true)';
  // PreferNoExecute is enough if the workload asks to be moved by it
  const effect =
    rules.taints.activeMigration && binding.spec.failover?.cluster ? 'PreferNoExecute' : 'NoExecute';
  const [status, key] = pull ? ['Unknown', 'unreachable'] : ['False', 'not-ready'];
  return {
    id: 'no-execute-taint',
    state: 'broken',
    text: `nothing puts a ${effects} taint on ${names} when it fails${rules.taints.readinessTaints === 'automatic' ? '; the NoSchedule taint of Karmada itself evicts nothing' : ''}`,
    fix: `create a ClusterTaintPolicy that adds cluster.karmada.io/${key}:${effect} while ${CLUSTER_CONDITION_READY} is ${status}${allowed}`,
    evidence: [
      {
        rule:
          policies.length === 0
            ? 'there is no ClusterTaintPolicy'
            : `no ClusterTaintPolicy adds a ${effects} taint on that condition`,
        field: windows ? 'spec.matchConditions' : 'spec.addOnConditions',
        value: policies.map(({ metadata }) => metadata.name),
      },
    ],
  };
}
