import type { LinkState } from '../../analysis/explanation/links/link.ts';
import type { PresentState } from '../../analysis/explanation/presentState.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { Strategy } from '../../karmada/scheduling/strategy.ts';
import { shellWord } from '../../kubernetes/escaping.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { verdictWords } from '../eviction/evictionTaskList.ts';
import { ESTIMATED } from '../screen/timeWords.ts';
import { plural } from '../words/amounts.ts';
import { relativeTime } from '../words/duration.ts';
import { evidenceWords } from '../words/evidence.ts';
import { objectText, placementText } from '../words/names.ts';
import { kubectlText } from '../words/nextStep.ts';

/** The workload, its policy and its placement. */
export function presentBlock(explanation: WorkloadExplanation, now: number): Block {
  const { workload, policy, binding, present, decision } = explanation;
  return {
    type: 'section',
    title: {
      type: 'heading',
      parts: [
        asStrong(objectText(workload)),
        policy ? objectText(policy) : objectText(binding),
        wantedText(present, decision.strategy),
      ],
    },
    blocks: [{ type: 'keyValues', entries: presentEntries(explanation, now) }],
  };
}

const STRATEGIES: Record<Strategy, string> = {
  Duplicated: 'on each cluster (Duplicated)',
  Aggregated: 'on as few clusters as possible (Divided, Aggregated)',
  StaticWeight: 'divided by static weight',
  DynamicWeight: 'divided by capacity (dynamic weight)',
};

function wantedText({ replicas }: PresentState, strategy: Strategy | undefined): string {
  if (replicas === null) return 'no replicas, a copy on each cluster';
  const count = plural(replicas, 'replica');
  return strategy ? `${count} ${STRATEGIES[strategy]}` : count;
}

function presentEntries(explanation: WorkloadExplanation, now: number): [Words, Words][] {
  const { present } = explanation;
  const { evictions, scheduled, upToDate, affinityGroup } = present;
  const lines: [Words, Words][] = [['on', clustersWords(present)]];
  if (affinityGroup !== undefined) lines.push(['group', affinityGroup]);
  for (const task of evictions) {
    const { fromCluster, replicas, consequence, deadline, deadlineAssumed, verdict } = task;
    const from = placementText([{ name: fromCluster, ...(replicas === null ? {} : { replicas }) }]);
    const limit = verdict === 'overdue' ? 'deadline' : 'at the latest';
    const until = deadline
      ? `; ${limit} ${relativeTime(instant(deadline), now)}${deadlineAssumed ? ESTIMATED : ''}`
      : '';
    lines.push(['leaves', [from, ', ', verdictWords(task), until, ': ', consequence]]);
  }
  if (explanation.attached)
    lines.push(['scheduler', 'does not place it: it follows the objects that require it']);
  else if (scheduled && scheduled.status !== 'True')
    lines.push(['scheduler', asBad(`${scheduled.reason}: ${scheduled.message}`)]);
  else if (!scheduled) lines.push(['scheduler', asWarning('has not scheduled it yet')]);
  else if (!upToDate) lines.push(['scheduler', asWarning('has not seen the current spec yet')]);
  return lines;
}

function clustersWords({ clusters }: PresentState): Words {
  if (clusters.length === 0) return asBad('no cluster');
  const each = clusters.map(({ name, replicas, health, stale }): Words => {
    const seen = health === null ? 'nothing reported' : health;
    const words = stale
      ? asWarning(`${seen} when last reported`)
      : health === 'Healthy'
        ? ''
        : asWarning(seen);
    const placed = placementText([{ name, replicas }]);
    return words === '' ? placed : [placed, ' (', words, ')'];
  });
  return joined(each, ', ');
}

/** The links of the chain; if a failure is simulated, only the unexpected ones. */
export function linksBlocks({ links, failures, binding }: WorkloadExplanation, { wide }: Shown): Block[] {
  const all = wide || failures.length === 0;
  const shown = all ? links : links.filter(({ state }) => state !== 'holds');
  if (shown.length === 0) return [];
  const title = all ? 'Requirements for it to leave a cluster that fails:' : 'Note:';
  const nodes = shown.map((link) => ({
    mark: mark(link.state),
    words: link.text,
    children: [
      ...(link.fix ? [{ words: asFaint(`→ ${link.fix}`) }] : []),
      ...(wide ? link.evidence.map((one) => ({ words: evidenceWords(one, binding) })) : []),
    ],
  }));
  return [{ type: 'section', title: asStrong(title), blocks: [{ type: 'tree', nodes }] }];
}

/** The trigger that should have moved it and does not, with an effective one. */
export function withoutEffectBlocks({ withoutEffect }: WorkloadExplanation): Block[] {
  if (withoutEffect.length === 0) return [];
  const nodes = withoutEffect.map(({ text, fix }) => ({
    mark: asWarning('!'),
    words: text,
    children: [{ words: asFaint(`→ ${fix}`) }],
  }));
  return [{ type: 'section', title: asStrong('Has no effect on it:'), blocks: [{ type: 'tree', nodes }] }];
}

/** The trigger for rescheduling it, if that moves it to other clusters. */
export function rebalanceBlocks(
  { rebalance, workload }: WorkloadExplanation,
  kubectl?: Shown['kubectl'],
): Block[] {
  if (!rebalance) return [];
  const title = asStrong('No reschedule is pending:');
  const { apiVersion, kind, namespace, name } = workload;
  const manifest = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { generateName: `${name}-` },
    spec: { workloads: [{ apiVersion, kind, namespace, name }] },
  };
  const create = kubectlText(['kubectl', 'create', '-f', '-'], kubectl);
  const command = {
    type: 'command' as const,
    text: `echo ${shellWord(JSON.stringify(manifest))} | ${create}`,
  };
  const node = rebalance.moves
    ? {
        words: `a WorkloadRebalancer triggers one: then it is on ${placementText(rebalance.gives)}`,
        children: [{ words: command }],
      }
    : {
        words:
          'a WorkloadRebalancer triggers one, but it stays there: the scheduler does not return to an earlier affinity group',
      };
  return [{ type: 'section', title, blocks: [{ type: 'tree', nodes: [{ mark: '-', ...node }] }] }];
}

function mark(state: LinkState): Words {
  const marks: Record<LinkState, Words> = {
    holds: asGood('✓'),
    limits: asWarning('!'),
    broken: asBad('✗'),
    unknown: asWarning('?'),
  };
  return marks[state];
}
