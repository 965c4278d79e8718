import { documentSummary } from '../documentSummary.ts';
import type { ClusterStatus } from '../../analysis/explanation/failoverStatus.ts';
import type { DrainUnderWay } from '../../analysis/drain/drainsUnderWay.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block } from '../../presentation/model.ts';
import { asWarning } from '../../presentation/words.ts';
import { inOrder, type Answer } from '../answer.ts';
import { plural } from '../words/amounts.ts';
import { relativeTime } from '../words/duration.ts';
import { clusterDetails, clusterTable, clusterVerdict } from './clusterTable.ts';
import {
  assumptionLine,
  failoverReasons,
  failoverVerdict,
  nextSteps,
  ruleBlocks,
  verdictBlocks,
  paceDocument,
  troubleBlocks,
  troubleDocument,
  type Head,
} from './statusHead.ts';
import { resourceName } from '../words/names.ts';

interface FailoverStatusInput extends Head {
  drains: DrainUnderWay[];
  karmadaVersion: string;
  /** one cluster was requested: it is printed in full */
  detailed: boolean;
  /** only some of the workloads are counted */
  selective?: boolean;
  /** the clusters are in the requested order; otherwise texts begin with the one whose loss would cost most */
  ordered?: boolean;
}

/** The state of failover: the gates and flags, who taints what, and the clusters. */
export function failoverStatusAnswer(input: FailoverStatusInput): Answer {
  const { status, drains, switches, assumptions, now, karmadaVersion, detailed, ordered, selective } = input;
  return {
    document: {
      kind: 'FailoverStatus',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      summary: {
        ...documentSummary({
          clusters: status.clusters,
          notReady: status.clusters.filter(({ ready }) => ready.status !== 'True'),
          trouble: status.trouble,
          drains,
        }),
        evicting: status.clusters.reduce((sum, { evicting }) => sum + evicting, 0),
      },
      failover: status.failover,
      ...(status.evictionPace && { evictionPace: paceDocument(status.evictionPace) }),
      ...(status.evictionQueue && { evictionQueue: status.evictionQueue }),
      trouble: troubleDocument(status.trouble),
      switches,
      taintRules: status.taintRules,
      drains,
      clusters: status.clusters,
    },
    list: {
      field: 'clusters',
      inOrder: (positions) =>
        failoverStatusAnswer({
          ...input,
          ordered: true,
          status: { ...status, clusters: inOrder(status.clusters, positions) },
        }),
    },
    names: () => status.clusters.map(({ name }) => resourceName({ kind: 'Cluster', name })),
    presentation(shown) {
      const clusters = clusterTable(
        ordered ? status.clusters : byRank(status.clusters),
        now,
        shown,
        selective,
      );
      if (shown.noHeaders) return { blocks: status.clusters.length === 0 ? [] : [clusters] };
      const underWay = drains.map((drain) => drainBlock(drain, now));
      if (!detailed)
        return {
          blocks: [
            ...verdictBlocks(input, shown),
            ...underWay,
            clusters,
            ...ruleBlocks(input, shown),
            ...assumptionLine(input, shown),
          ],
        };
      const details = status.clusters.flatMap((one) => clusterDetails(one, now));
      const ofThese = underWay.filter((_, at) =>
        drains[at]!.clusters.some((name) => status.clusters.some((one) => one.name === name)),
      );
      return {
        blocks: [
          {
            type: 'section',
            blocks: [
              failoverVerdict(status.failover, status.evictionPace),
              ...status.clusters.map((one) => clusterVerdict(one, selective)),
            ],
          },
          ...nextSteps(status, shown),
          ...failoverReasons(status.failover),
          ...troubleBlocks(status.trouble, shown.wide),
          ...ofThese,
          ...details,
          ...assumptionLine(input, shown),
        ],
      };
    },
  };
}

/** The cluster whose loss would cost most first; by name if unknown. */
function byRank(clusters: ClusterStatus[]): ClusterStatus[] {
  return clusters.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** "Drain of frankfurt, begun 12m ago by anna@bastion-1: 12 of 19 workloads gone, 4 still there, 3 being evicted (3 held)" */
function drainBlock(drain: DrainUnderWay, now: number): Block {
  const { clusters, started, by, method, workloads, gone, waiting, leaving, held, lastEviction } = drain;
  const begun = started === null ? '' : `, begun ${relativeTime(instant(started), now)}`;
  const who = by === null ? '' : ` by ${by}`;
  const how = method === 'taint' ? ', by a NoExecute taint' : '';
  const done = gone === null ? '' : `${gone} of ${plural(workloads!, 'workload')} gone, `;
  const there = gone === null ? plural(waiting, 'workload') : String(waiting);
  const holding = held === 0 ? '' : ` (${held} held)`;
  const last = lastEviction === null ? '' : `, the last evicted ${relativeTime(instant(lastEviction), now)}`;
  return {
    type: 'paragraph',
    words: [
      asWarning(`Drain of ${clusters.join(', ')}`),
      `${begun}${who}${how}: ${done}${there} remaining, ${leaving} being evicted${holding}${last}.`,
    ],
  };
}
