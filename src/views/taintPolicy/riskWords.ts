import type { EntryProblem } from '../../analysis/taintPolicy/conditionLists.ts';
import type { InactivePolicies } from '../../karmada/taints/inactivePolicies.ts';
import type { PolicyRisk } from '../../analysis/findings/policies/policyRisk.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { listed, plural } from '../words/amounts.ts';
import { nearMatches } from '../../kubernetes/spelling.ts';
import { ownerText, workloadName, formatPlace } from '../words/names.ts';
import { taintText } from './taintWords.ts';
import type { SourcePlace } from '../../analysis/findings/finding.ts';

/** The most policies in a text. */
const MAX_NAMED = 8;

const PROBLEMS: Record<EntryProblem, string> = {
  'unknown operator': 'has an operator that is neither In nor NotIn',
  'no values': 'lists no status',
  'no such status': 'lists only statuses that do not exist',
};

/**
 * The gates and flags that are off, and how to set those that are only assumed to be.
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

/** Why no policy has any effect. */
function inactiveText(off: InactivePolicies, assumed: boolean, assume: string): string {
  if (off === 'controllers') return 'the controller clustertaintpolicy is not started';
  if (off === 'version') return 'this version of Karmada has no ClusterTaintPolicies';
  const gate = 'the feature gate Failover of karmada-controller-manager';
  return assumed
    ? `${gate} is assumed to be off; if it is on, give ${assume} Failover=true`
    : `${gate} is off`;
}

/** Why no policy has any effect, as a paragraph. */
export function inactiveBlock(off: InactivePolicies, assumed: boolean, { names }: Shown): Block {
  return {
    type: 'paragraph',
    words: asBad(`No policy does anything: ${inactiveText(off, assumed, names.assume)}.`),
  };
}

/** The other policies that list a taint; `others` are counted and not named. */
function listedBy(names: readonly string[], others: number): string {
  const [only] = names;
  if (names.length === 1 && others === 0) return `policy ${only} lists it too`;
  const named = names.slice(0, MAX_NAMED);
  const more = names.length - named.length + others;
  const all = more === 0 ? named.join(' and ') : `${named.join(', ')} and ${more} more`;
  return `policies ${all} list it too`;
}

/** "frankfurt", "12 clusters (a, b, c and 9 more)". */
function clustersText(names: string[]): string {
  return names.length < 4 ? listed(names) : `${names.length} clusters (${listed(names, 3)})`;
}

/**
 * A risk in one line: the problem, the place, and the reason.
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
      return `${risk.field} can never match: ${entries.join(', ') || 'its entries contradict each other'}`;
    }
    case 'removal-always-matches':
    case 'addition-always-matches':
      return `${risk.field} hold on every cluster that reports these conditions, whatever their status`;
    case 'removes-what-it-adds':
      return 'removeOnConditions hold whenever addOnConditions do, so its taints are removed at once';
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
      return 'it has no matchConditions: every selected cluster gets its taints and keeps them';
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
      return `${name}=${seconds} of ${taintText(taint)} only delays: its conditions do not change back within ${formatDuration(shortest.after)} (${shortest.flag})`;
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
      return `${risk.policies.join(' and ')} conflict over ${taintText(risk.taint)} on ${clustersText(risk.clusters)}: its timer restarts with every change of a condition`;
    case 'order-open':
      return `${risk.policies.join(' and ')} were created in the same second and conflict over ${taintText(risk.taint)} on ${clustersText(risk.clusters)}`;
    case 'policies-dead':
      return `no policy does anything: ${inactiveText(risk.off, risk.assumed !== undefined, assume)}`;
    case 'workloads-lost':
      return `all copies of ${listed(risk.workloads.map(workloadName))} are lost`;
    case 'workloads-blocked':
      return `${listed(risk.workloads.map(workloadName))} cannot be scheduled`;
  }
}

export interface ReportedRisk {
  code: string;
  message: string;
  policy?: string | undefined;
  field?: string | undefined;
  place?: SourcePlace | undefined;
  /** whether it stops the change until it is accepted */
  stops: boolean;
  accepted: boolean;
  /** gates and flags that are off only by an unverified default */
  assumed?: readonly string[] | undefined;
}

/** The risks of a change, a row each. */
export function riskRows(risks: readonly ReportedRisk[]): Block {
  return {
    type: 'section',
    title: 'Risks',
    blocks: [
      {
        type: 'rows',
        rows: risks.map(({ code, message, policy, place, stops, accepted }): Words[] => {
          const where = place ? `${formatPlace(place)}: ` : '';
          const whose = policy === undefined ? '' : `${policy}: `;
          return [
            stops && !accepted ? asBad(code) : asWarning(code),
            `${where}${whose}${message}${accepted ? ' (accepted)' : ''}`,
          ];
        }),
      },
    ],
  };
}

/** Why nothing is written, and the next step. */
export interface ReportedRefusal {
  text: string;
  /** the flags that `text` ends with */
  flags?: string;
  /** the whole command with them: people copy it, so it stays on one line */
  command?: string | undefined;
}

/** A refusal in one line. */
export function refusalLine({ text, flags, command = flags }: ReportedRefusal): string {
  return command === undefined ? text : `${text}: ${command}`;
}

/** Why something is refused, below a verdict that says so, with the flags that accept it in a line to copy. */
export function refusalBlocks({ text, flags, command = flags }: ReportedRefusal): Block[] {
  const why: Block = { type: 'paragraph', words: asBad(`Reason: ${text}`) };
  return command === undefined ? [why] : [why, { type: 'command', text: command }];
}
