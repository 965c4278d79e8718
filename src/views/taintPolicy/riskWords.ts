import type { FindingRule } from '../../analysis/findings/finding.ts';
import type { EntryProblem } from '../../analysis/taintPolicy/conditionLists.ts';
import type { DeadPolicies } from '../../karmada/taints/deadPolicies.ts';
import type { PolicyRisk } from '../../analysis/taintPolicy/risks/policyRisk.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Block } from '../../presentation/model.ts';
import { bad } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { listed } from '../words/listed.ts';
import { nearMatches } from '../words/nearMatches.ts';
import { plural } from '../words/plural.ts';
import { ownerText } from '../words/taintOwner.ts';
import { taintText } from './taintWords.ts';

export type PolicyRiskCode = PolicyRisk['code'];

/** Risks that only show in the effect on clusters. */
const OF_CHANGE: ReadonlySet<string> = new Set<PolicyRiskCode>([
  'condition-not-reported',
  'targets-no-cluster',
  'every-cluster-tainted',
  'takes-anothers-taint',
  'renewed-again-and-again',
  'order-open',
  'policies-dead',
  'no-active-migration',
]);

/** What each risk is about, why it matters, and what to do. */
export const riskRules: Record<PolicyRiskCode, Omit<FindingRule, 'id'>> = {
  'taint-refused': {
    title: 'a taint that the Cluster API refuses',
    help: 'Clusters take NoSchedule and NoExecute, and keys and values with the syntax of labels. A single refused taint makes the whole write of its cluster fail: no other policy does anything there either, until the policy stops wanting it.',
  },
  'never-removed': {
    title: 'a taint that no condition removes again',
    help: 'No removeOnConditions, of this policy or of another one for its clusters, can hold, so the taint stays until somebody removes it. Add removeOnConditions.',
  },
  'never-added': {
    title: 'a policy that never adds its taints',
    help: 'Without addOnConditions a policy adds nothing: it can only remove what somebody else has set. Add addOnConditions, or ignore this if the policy is there to remove the taints of others.',
  },
  'removal-never-matches': {
    title: 'removeOnConditions that can never hold',
    help: 'All entries of the list must hold at once. Operators are In and NotIn, statuses True, False and Unknown; entries that contradict each other never hold.',
  },
  'addition-never-matches': {
    title: 'addOnConditions that can never hold',
    help: 'All entries of the list must hold at once. Operators are In and NotIn, statuses True, False and Unknown; entries that contradict each other never hold.',
  },
  'removal-always-matches': {
    title: 'removeOnConditions that always hold',
    help: 'The policy removes its taints at every look, even if somebody else set them: removal wins within a policy.',
  },
  'addition-always-matches': {
    title: 'addOnConditions that always hold',
    help: 'Every cluster that reports these conditions gets the taints, whatever their status.',
  },
  'removes-what-it-adds': {
    title: 'a policy that removes its taints whenever it adds them',
    help: 'removeOnConditions hold whenever addOnConditions do, and removal wins within a policy.',
  },
  'condition-not-reported': {
    title: 'a condition that clusters do not report',
    help: 'An entry about a condition that a cluster does not have never holds there, not even with NotIn. Check the name of the type, and who reports it.',
  },
  'taint-owned': {
    title: "a taint that is another policy's, Karmada's own or a person's",
    help: 'If several policies list a taint, the newest has the last word; Karmada keeps its own taints by its own rules; and a policy removes a taint whoever set it. Use a key of your own.',
  },
  'no-execute-refused': {
    title: 'NoExecute, which the webhook refuses',
    help: 'karmada-webhook takes NoExecute only with --allow-no-execute-taint-policy=true. If it runs with that flag, assume allow-no-execute-taint-policy=true.',
  },
  'no-execute-dead': {
    title: 'NoExecute that evicts nothing',
    help: 'karmada-controller-manager evicts by taints only with the gate Failover and --enable-no-execute-taint-eviction=true. If it runs with both, assume them, or let its flags be read from the cluster that it runs in.',
  },
  'targets-no-cluster': {
    title: 'a policy that is for no cluster',
    help: 'targetClusters (in the design targetCluster) matches no cluster. Check names and labels.',
  },
  'no-match-conditions': {
    title: 'a policy without matchConditions',
    help: 'In the design Optimize Cluster Failover no matchConditions always match: every cluster that the policy is for gets its taints, and keeps them. Name the conditions, or the clusters in targetCluster.',
  },
  'match-always': {
    title: 'matchConditions that always match',
    help: 'Every cluster that reports these conditions gets the taints, whatever their status, and keeps them.',
  },
  'match-never': {
    title: 'matchConditions that can never match',
    help: 'All entries of the list must match at once; entries that contradict each other never do. Such a policy only removes taints.',
  },
  'lists-no-taints': {
    title: 'a policy without taintsToAdd',
    help: 'It does nothing. List taints in taintsToAdd; taints is the field of the form that is shipped.',
  },
  'window-shorter-than-probe': {
    title: 'a window within which its conditions cannot turn back',
    help: 'Karmada publishes a change of a condition with its next probe (cluster-status-update-frequency), a change of Ready after cluster-success-threshold or cluster-failure-threshold. A shorter window only delays the taint. Make it longer if it is to wait for the conditions to turn back.',
  },
  'no-active-migration': {
    title: 'PreferNoExecute that moves nothing',
    help: 'PreferNoExecute moves only workloads whose policy has spec.failover.cluster, and policies have to have it before a cluster fails. Add it to the PropagationPolicies of the workloads that are to move.',
  },
  'every-cluster-tainted': {
    title: 'every cluster gets a taint',
    help: 'The scheduler no longer finds a place for workloads that do not tolerate these taints.',
  },
  'takes-anothers-taint': {
    title: 'a taint is removed that is not the policy’s',
    help: 'removeOnConditions remove a taint whoever set it. Use a key of your own.',
  },
  'renewed-again-and-again': {
    title: 'policies that fight over a taint',
    help: 'One removes what a newer one adds: the time of the taint begins anew with every change of a condition, and tolerations of it never end.',
  },
  'order-open': {
    title: 'policies of the same second that want different things',
    help: 'Karmada takes them in no fixed order. Delete one and create it again.',
  },
  'policies-dead': {
    title: 'no policy does anything',
    help: 'ClusterTaintPolicies work since v1.14, with the feature gate Failover of karmada-controller-manager. If it is on, assume Failover=true.',
  },
};

/** The rules for risks that a policy shows by itself. */
export const riskFindingRules: readonly FindingRule[] = Object.entries(riskRules)
  .filter(([code]) => !OF_CHANGE.has(code))
  .map(([id, rule]) => ({ id, ...rule }));

/** How many policies a text names. */
const MOST_NAMED = 8;

const PROBLEMS: Record<EntryProblem, string> = {
  'unknown operator': 'has an operator that is neither In nor NotIn',
  'no values': 'lists no status',
  'no such status': 'lists only statuses that do not exist',
};

/**
 * The gates and flags that are off, and what to give if that is only assumed.
 *
 * @param assume how to give a gate or flag
 */
function offText(off: readonly string[], assumed: readonly string[] = [], assume: string): string {
  const known = off.filter((name) => !assumed.includes(name));
  const are = (names: readonly string[], how: string) =>
    names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${how}`];
  const states = [...are(known, 'off'), ...are(assumed, 'assumed to be off')].join(', ');
  if (assumed.length === 0) return states;
  return `${states}; if that is wrong, give ${assumed.map((name) => `${assume} ${name}=true`).join(' ')}`;
}

/** Why no policy does anything. */
function deadText(off: DeadPolicies, assumed: boolean, assume: string): string {
  if (off === 'controllers') return 'the controller clustertaintpolicy is not started';
  if (off === 'version') return 'this version of Karmada has no ClusterTaintPolicies';
  const gate = 'the feature gate Failover of karmada-controller-manager';
  return assumed
    ? `${gate} is assumed to be off; if it is on, give ${assume} Failover=true`
    : `${gate} is off`;
}

/** The same as a paragraph. */
export function deadBlock(off: DeadPolicies, assumed: boolean, { names }: Shown): Block {
  return {
    type: 'paragraph',
    words: bad(`No policy does anything: ${deadText(off, assumed, names.assume)}.`),
  };
}

/** The policies beside one that list a taint; `others` are counted and not named. */
function listedBy(names: readonly string[], others: number): string {
  const [only] = names;
  if (names.length === 1 && others === 0) return `policy ${only} lists it too`;
  const named = names.slice(0, MOST_NAMED);
  const more = names.length - named.length + others;
  const all = more === 0 ? named.join(' and ') : `${named.join(', ')} and ${more} more`;
  return `policies ${all} list it too`;
}

/** "frankfurt", "12 clusters (a, b, c and 9 more)". */
function clustersText(names: string[]): string {
  return names.length < 4 ? listed(names) : `${names.length} clusters (${listed(names, 3)})`;
}

/**
 * A risk in one line: what, where, and why.
 *
 * @param assume how to give a gate or flag that is only assumed
 */
export function riskText(risk: PolicyRisk, assume = 'the assumption'): string {
  switch (risk.code) {
    case 'taint-refused': {
      const { refusal, clusters, stops } = risk;
      const where = clusters.length > 0 ? ` on ${listed(clusters)}` : '';
      const others =
        stops.length > 0 ? `; that stops other policies for the same clusters: ${listed(stops)}` : '';
      return `the Cluster API refuses the taint${where}: ${refusal}${others}`;
    }
    case 'never-removed':
      return `no condition removes ${taintText(risk.taint)} again`;
    case 'never-added':
      return `it never adds ${listed(risk.taints.map(taintText))}: it has no addOnConditions, and no other policy adds ${risk.taints.length === 1 ? 'it' : 'them'}`;
    case 'removal-never-matches':
    case 'addition-never-matches': {
      const entries = risk.entries.map(({ index, problem }) => `[${index}] ${PROBLEMS[problem]}`);
      return `${risk.field} can never hold: ${entries.join(', ') || 'its entries contradict each other'}`;
    }
    case 'removal-always-matches':
    case 'addition-always-matches':
      return `${risk.field} hold on every cluster that reports these conditions, whatever their status`;
    case 'removes-what-it-adds':
      return 'removeOnConditions hold whenever addOnConditions do, so nobody ever sees its taints';
    case 'condition-not-reported': {
      const { conditionType, clusters, everywhere, reported } = risk;
      const who = everywhere
        ? `none of its clusters reports the condition ${conditionType}`
        : `${listed(clusters)} ${clusters.length === 1 ? 'does' : 'do'} not report the condition ${conditionType}`;
      const [near] = nearMatches(conditionType, reported);
      const meant = near === undefined ? '' : `; did you mean ${near}?`;
      return `${who}, so the entry does not hold there${meant}`;
    }
    case 'taint-owned': {
      const { taint, owner, clusters, others = 0 } = risk;
      const whose =
        owner.kind === 'policy'
          ? listedBy(owner.names, others)
          : `it belongs to ${ownerText({ owner: owner.kind })}`;
      return `${taintText(taint)}${clusters.length > 0 ? ` on ${listed(clusters)}` : ''}: ${whose}`;
    }
    case 'no-execute-refused':
      return `the webhook refuses ${taintText(risk.taint)}: --${offText(['allow-no-execute-taint-policy'], risk.assumed, assume)}`;
    case 'no-execute-dead':
      return `${taintText(risk.taint)} evicts nothing: ${offText(risk.off, risk.assumed, assume)}`;
    case 'targets-no-cluster':
      return `${risk.field.replace('spec.', '')} matches no cluster`;
    case 'no-match-conditions':
      return 'it has no matchConditions, so every cluster that it is for gets its taints and keeps them';
    case 'match-always':
      return 'its matchConditions match every cluster that reports these conditions, whatever their status';
    case 'match-never': {
      const entries = risk.entries.map(({ index, problem }) => `[${index}] ${PROBLEMS[problem]}`);
      return `its matchConditions can never match: ${entries.join(', ') || 'they contradict each other'}`;
    }
    case 'lists-no-taints':
      return 'it lists no taints, so it does nothing';
    case 'window-shorter-than-probe': {
      const { taint, seconds, shortest, field } = risk;
      const name = field.slice(field.lastIndexOf('.') + 1);
      return `${name}=${seconds} of ${taintText(taint)} only delays: its conditions do not turn back within ${formatDuration(shortest.after)} (${shortest.flag})`;
    }
    case 'no-active-migration':
      return `${taintText(risk.taint)} moves nothing: none of the ${plural(risk.workloadCount, 'workload')} on its clusters has spec.failover.cluster`;
    case 'every-cluster-tainted':
      return `every cluster has a taint afterwards: ${risk.taints.map(taintText).join(', ')} on ${listed(risk.clusters)}`;
    case 'takes-anothers-taint': {
      const { clusters, taint, policy, owner, when } = risk;
      const time = when ? ` once ${when.type}=${when.status}` : '';
      return `${policy} removes ${taintText(taint)}, which belongs to ${ownerText({ owner })}, from ${clustersText(clusters)}${time}`;
    }
    case 'renewed-again-and-again':
      return `${risk.policies.join(' and ')} fight over ${taintText(risk.taint)} on ${clustersText(risk.clusters)}: its time begins anew with every change of a condition`;
    case 'order-open':
      return `${risk.policies.join(' and ')} were created in the same second and want different things for ${taintText(risk.taint)} on ${clustersText(risk.clusters)}`;
    case 'policies-dead':
      return `no policy does anything: ${deadText(risk.off, risk.assumed !== undefined, assume)}`;
  }
}
