import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { FAILOVER_SWITCHES } from '../../analysis/explanation/failoverSwitch.ts';
import type { FailoverVerdict } from '../../analysis/explanation/failoverVerdict.ts';
import type { SchedulingDecision } from '../../analysis/explanation/schedulingDecision.ts';
import type { CuredFinding } from '../../analysis/findings/state/diagnose.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import { isUnlimited } from '../../analysis/explanation/whyCluster.ts';
import type { LeftBehind, WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { AttemptTrace, ClusterTrace } from '../../karmada/scheduling/trace.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Block, TreeNode, Words } from '../../presentation/model.ts';
import { asBad, asFaint, lineBlocks, asStrong, asWarning } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { type CommandOf, findingDocument, findingNode } from '../doctor/stateFinding.ts';
import { evictionTaskDocument } from '../eviction/evictionTaskList.ts';
import { objectText, placementText, resourceName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { outcomeDocument } from '../words/outcomeWords.ts';
import { eventDocument } from '../words/timelineEvent.ts';
import { chainBlocks, chainTitle } from './chain.ts';
import { changesBlocks, lossChangesBlocks } from './changes.ts';
import { decisionBlocks, whyClusterBlock } from './decision.ts';
import { linksBlocks, presentBlock, rebalanceBlocks, withoutEffectBlocks } from './present.ts';
import { type BrokenLink, lossRows, verdictBlocks, worstFirst } from './verdict.ts';

/** The assumptions that an explanation names in text; json has all of them. */
const WORTH_SAYING = new Set([
  ...FAILOVER_SWITCHES,
  'now',
  'karmadaVersion',
  'ClusterTaintPolicies',
  'workloadReadyAfter',
]);

interface ExplanationInput extends DatedBasis {
  explanation: WorkloadExplanation;
  /** the broken links of its failover, in the order of the chain */
  brokenLinks: readonly CuredFinding[];
  /** absent: no command can be typed where this is shown */
  commandOf?: CommandOf;
  /** the flags that ask for a simulation of the same failures */
  sameEvents?: readonly string[];
}

/** Why a workload runs where it does, and its outcome: first the outcome, then the reason, then the uncertainties. */
export function explanationAnswer(input: ExplanationInput): Answer {
  const { explanation, now, assumptions } = input;
  return {
    get document() {
      return explanationDocument(input);
    },
    names: () => [resourceName(explanation.workload)],
    presentation(shown) {
      if (shown.noHeaders) return { blocks: decisionBlocks(explanation, now, shown) };
      const isHelped = input.brokenLinks.some(({ remedy }) => remedy?.patches);
      const changes = changesBlocks(explanation, shown.kubectl, isHelped);
      return {
        blocks: [
          ...explanation.why.map((why) => whyClusterBlock(why, explanation.decision.hypothetical, shown)),
          ...verdictBlocks(subjectOf(explanation, now), explanation.verdict, now, firstBroken(input)),
          ...(changes.length > 0 ? [] : nextSteps(input, shown)),
          section(endBlocks(explanation)),
          ...brokenBlocks(input),
          ...changes,
          ...lossChangesBlocks(explanation, shown.kubectl),
          ...linksBlocks(explanation, shown),
          ...withoutEffectBlocks(explanation),
          ...rebalanceBlocks(explanation, shown.kubectl),
          ...(explanation.attached ? [] : decisionBlocks(explanation, now, shown)),
          detail('placement', [presentBlock(explanation, now)]),
          detail('steps', chainBlocks(explanation, now, shown)),
          section(lineBlocks(dependencyLines(explanation, shown))),
          detail('what estimates depend on', lineBlocks(doubtLines(explanation, shown))),
          ...assumptionBlocks(
            assumptions.filter(({ name }) => WORTH_SAYING.has(name)),
            shown,
          ),
        ],
      };
    },
  };
}

const section = (blocks: Block[]): Block => ({ type: 'section', blocks });
const detail = (name: string, blocks: Block[]): Block => ({ type: 'section', detail: name, blocks });

function subjectOf(explanation: WorkloadExplanation, now: number): Words {
  return [asStrong(objectText(explanation.workload)), `, ${chainTitle(explanation, now)}`];
}

/** If no change is needed or found: the simulation of the whole failure, or of the worst failure of one cluster. */
function nextSteps({ explanation, sameEvents }: ExplanationInput, shown: Shown): Block[] {
  const { workload, failures, ifItFails = [] } = explanation;
  if (failures.length > 0) {
    const events = sameEvents ?? failures.map(({ cluster }) => shown.names.fails(cluster));
    return nextStep(['simulate', ...events], shown);
  }
  const [first] = worstFirst(ifItFails);
  return first
    ? nextStep(['explain', workloadName(workload), shown.names.ifFails(first.cluster)], shown)
    : [];
}

/** What to do about the first broken link, which the verdict names; the others as `doctor` shows them. */
function brokenBlocks({ brokenLinks, commandOf = () => undefined }: ExplanationInput): Block[] {
  const nodes = brokenLinks.map((finding): TreeNode => {
    const { mark = '', words, children = [] } = findingNode(finding, () => finding, commandOf, false);
    // proven changes are shown below, and the explanation is this one
    const isSaid = finding.remedy?.simulate || finding.remedy?.next?.action === 'explain';
    return { mark, words, children: isSaid ? [] : children };
  });
  const [first, ...others] = nodes;
  const shown = [...(first?.children ?? []), ...others];
  return shown.length === 0 ? [] : [{ type: 'tree', nodes: shown }];
}

/** Outcomes of workloads that do not go where they should. */
const STUCK: ReadonlySet<Outcome> = new Set(['tolerates', 'blocked', 'lost', 'partly-moves', 'flaps']);

/** The first broken link, without the name of the explained workload. */
function firstBroken({ brokenLinks, explanation }: ExplanationInput): BrokenLink | undefined {
  const [first] = brokenLinks;
  if (!first) return undefined;
  const { workload, failures, verdict } = explanation;
  const isHit = failures.some(({ cluster }) => verdict.before.some(({ name }) => name === cluster));
  const own = objectText(workload);
  const about = `${own}: `;
  const message = first.message.startsWith(about)
    ? // the failure is in the title
      failures.reduce(
        (text, { cluster }) => text.replace(`if ${cluster} fails, `, ''),
        first.message.slice(about.length),
      )
    : // a bracketed list of its objects adds nothing
      // … and another kind may end with its name
      ` ${first.message}`.split(` (${own}`)[0]!.replace(` ${own}`, ' it').trim();
  // The verdict says that a blocked or lost workload is not rescheduled: only why is new.
  const isStranded = verdict.outcome === 'blocked' || verdict.outcome === 'lost';
  const cause = (isStranded && first.reason) || message;
  return {
    words: [asBad(cause), ' ', asFaint(`[${first.check}]`)],
    decides: STUCK.has(verdict.outcome) || (verdict.outcome === 'stays' && isHit),
  };
}

/** Its outcomes if its clusters failed. */
function endBlocks({ attached, ifItFails = [] }: WorkloadExplanation): Block[] {
  if (!attached) return lossRows(ifItFails);
  const words = 'It follows the objects that require it, at once and without an eviction of its own.';
  return [...lossRows(ifItFails), { type: 'section', inset: true, blocks: [{ type: 'paragraph', words }] }];
}

const MAX_LEFT_BEHIND = 3;

/** Dependents that move with it, objects of the same policy that do not, and its parents. */
function dependencyLines(
  { dependencies, leftBehind, ifItFails = [], policy }: WorkloadExplanation,
  { wide }: Shown,
): Words[] {
  const { propagateDeps, follow, missing, requiredBy } = dependencies;
  const lines: Words[] = [];
  const own = follow.filter(({ ownClusters }) => ownClusters.length > 0);
  if (follow.length > 0)
    lines.push(
      `Follow it at once, without an eviction task: ${follow.map((one) => objectText(one.workload)).join(', ')}.`,
    );
  for (const { workload, ownClusters } of own)
    lines.push(`${objectText(workload)} stays on ${placementText(ownClusters)} too, by its own policy.`);
  lines.push(...behindLines(leftBehind, policy, '', wide));
  for (const { cluster, leftBehind: behind = [] } of ifItFails)
    lines.push(...behindLines(behind, policy, `If ${cluster} fails, `, wide));
  if (missing.length > 0)
    lines.push(
      asWarning(`Dependencies without a binding in the state: ${missing.map(objectText).join(', ')}.`),
    );
  if (requiredBy.length > 0)
    lines.push(`It follows these objects: ${requiredBy.map(objectText).join(', ')}.`);
  if (!propagateDeps && wide && requiredBy.length === 0)
    lines.push(
      'Nothing follows it: propagateDeps is not set, so its dependencies move by their own policies.',
    );
  return lines;
}

function behindLines(
  behind: readonly LeftBehind[],
  policy: WorkloadExplanation['policy'],
  when: string,
  wide: boolean,
): Words[] {
  const shown = wide ? behind : behind.slice(0, MAX_LEFT_BEHIND);
  const places = policy ? `${policy.kind} ${policy.name}` : 'the policy';
  const lines = shown.map(({ workload, clusters }) =>
    asWarning(
      `${when}${objectText(workload)} stays on ${clusters.join(', ')}: ${places} places both, but they move separately.`,
    ),
  );
  const more = behind.length - shown.length;
  return more > 0 ? [...lines, asWarning(`${when}${more} more of ${places} stay there, too.`)] : lines;
}

function doubtLines({ doubts }: WorkloadExplanation, { wide }: Shown): Words[] {
  const lines = doubts.map(({ certainty, what, missing }) => {
    const settle = missing && (wide || certainty === 'unknown') ? ` (${missing})` : '';
    return `${certainty === 'unknown' ? 'Unknown' : 'Estimate'}: ${what}${settle}`;
  });
  // several steps may share an uncertainty
  return [...new Set(lines)].map((line) => asWarning(line));
}

/** An explanation for json and yaml: times are RFC 3339, with offsets from the instant of the state. */
function explanationDocument({
  explanation,
  brokenLinks,
  commandOf = () => undefined,
  now,
  karmadaVersion,
  assumptions,
}: ExplanationInput) {
  const { failures, chain, verdict, decision, changes, ...rest } = explanation;
  return {
    kind: 'Explanation' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339(now),
    assumptions,
    workload: rest.workload,
    binding: rest.binding,
    policy: rest.policy,
    sharedPolicy: rest.sharedPolicy,
    leftBehind: rest.leftBehind,
    present: { ...rest.present, evictions: rest.present.evictions.map(evictionTaskDocument) },
    ...(rest.ifItFails && {
      ifItFails: rest.ifItFails.map((loss) => ({ ...loss, dependsOn: loss.dependsOn ?? [] })),
    }),
    failures: failures.map(({ cluster, time }) => ({ cluster, ...moment(time, now) })),
    chain: chain.map((event) => eventDocument(event, now)),
    verdict: verdictDocument(verdict, now),
    changes: changes ?? null,
    why: rest.why,
    decision: decisionDocument(decision, now),
    brokenLinks: brokenLinks.map((finding) => findingDocument(finding, commandOf)),
    links: rest.links,
    withoutEffect: rest.withoutEffect,
    ...(rest.rebalance && { rebalance: rest.rebalance }),
    dependencies: rest.dependencies,
    doubts: rest.doubts,
  };
}

function moment(time: number, now: number) {
  return { time: rfc3339Milliseconds(time), offsetSeconds: (time - now) / 1000 };
}

function verdictDocument(
  { oldCopyEnds, settledAt, deletedReady, flapping, ...verdict }: FailoverVerdict,
  now: number,
) {
  return {
    ...verdict,
    ...outcomeDocument({ deletedReady, flapping }),
    ...(settledAt === undefined ? {} : { settled: moment(settledAt, now) }),
    ...(oldCopyEnds && { oldCopyEnds: { ...moment(oldCopyEnds.time, now), clusters: oldCopyEnds.clusters } }),
  };
}

function decisionDocument({ time, groups, ...decision }: SchedulingDecision, now: number) {
  return { ...moment(time, now), ...decision, groups: groups.map(groupDocument) };
}

function groupDocument({ clusters, ...group }: AttemptTrace) {
  return { ...group, clusters: clusters.map(clusterDocument) };
}

/** The estimator's "no limit" becomes null. */
function clusterDocument({ filters, allocatableReplicas, availableReplicas, ...cluster }: ClusterTrace) {
  const unlimited = allocatableReplicas === undefined || isUnlimited(allocatableReplicas);
  return {
    ...cluster,
    filters: filters.map(({ plugin, reason, spared, evidence }) => ({
      plugin,
      passes: reason === undefined,
      ...(spared === undefined ? {} : { notChecked: spared }),
      ...(reason === undefined ? {} : { reason, evidence: evidence ?? [] }),
    })),
    ...(!cluster.deleting && {
      allocatableReplicas: unlimited ? null : allocatableReplicas,
      availableReplicas: unlimited ? null : availableReplicas,
    }),
  };
}
