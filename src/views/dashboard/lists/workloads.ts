import { type ClusterVerdict, type Feed, worstVerdict } from '../../../analysis/overview/feed.ts';
import {
  WORKLOAD_STATES,
  worstStatesFirst,
  type WorkloadSummary,
} from '../../../analysis/explanation/workloadNow.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asStrong } from '../../../presentation/words.ts';
import { downWords, outcomeTone, SEVERITY, severityOf } from '../../words/outcomeWords.ts';
import { placementText, workloadName } from '../../words/names.ts';
import { stateWords } from '../../words/workloadState.ts';
import type { List, ListContext } from '../list.ts';
import { workloadColumn } from '../../screen/screenList.ts';

/** Workloads: troubled ones first. */
export const workloadList: List<WorkloadSummary> = {
  name: 'workloads',
  one: 'workload',
  none: 'There are no workloads.',
  items: byTrouble,
  key: ({ key }) => key,
  namespace: ({ workload }) => workload.namespace,
  text: (one, context) => {
    const verdict = worstOf(one, context.feed);
    const fate = verdict ? `${verdict.outcome} ${verdict.cluster}` : '';
    return `${workloadName(one.workload)} ${placementText(one.clusters)} ${one.state} ${one.where.join(' ')} ${fate}`;
  },
  columns: [
    workloadColumn(({ workload }) => workload),
    {
      name: 'CLUSTERS',
      words: ({ clusters }) => (clusters.length === 0 ? asBad('nowhere') : placementText(clusters)),
      order: ({ clusters }) => placementText(clusters),
      least: 12,
      leaves: 2,
    },
    {
      name: 'REPLICAS',
      words: (one) => replicasOf(one) || asFaint('–'),
      order: (one) => -Number(replicasOf(one)),
      right: true,
      leaves: 3,
    },
    {
      name: 'NOW',
      words: stateWords,
      order: ({ state }) => WORKLOAD_STATES.indexOf(state),
      least: 10,
    },
    {
      name: 'IF A CLUSTER FAILS',
      words: (one, context) => fateWords(one, context),
      order: (one, { feed }) => {
        const verdict = worstOf(one, feed);
        return verdict ? severityOf(verdict) : SEVERITY.length;
      },
      least: 20,
      leaves: 1,
    },
  ],
  about: (one, { feed }) => ({
    title: [asStrong(workloadName(one.workload)), '  ', stateWords({ ...one, refused: undefined })],
    facts: [
      ['why', one.refused ?? ''],
      ['now', one.clusters.length === 0 ? asBad('on no cluster') : placementText(one.clusters)],
      ...(feed.verdicts.get(one.key) ?? []).map(
        (verdict) => [`if ${verdict.cluster} fails`, verdictWords(verdict)] as const,
      ),
    ],
    next: [['Enter', 'why, and what would help']],
  }),
  opens: ({ key }) => ({ view: 'workload', key }),
  object: ({ binding }) => ({ view: 'object', object: binding }),
};

const sorted = new WeakMap<readonly WorkloadSummary[], WorkloadSummary[]>();

function byTrouble({ workloads }: Feed, cluster: string | undefined): readonly WorkloadSummary[] {
  let all = sorted.get(workloads);
  if (!all) sorted.set(workloads, (all = worstStatesFirst(workloads)));
  if (cluster === undefined) return all;
  return all.filter(
    ({ clusters, evicting }) => clusters.some(({ name }) => name === cluster) || evicting.includes(cluster),
  );
}

function replicasOf({ clusters }: WorkloadSummary): string {
  const sum = clusters.reduce((total, { replicas = 0 }) => total + replicas, 0);
  return sum === 0 ? '' : String(sum);
}

/** The worst forecast for a failure of one of its clusters. */
function worstOf({ key }: WorkloadSummary, { verdicts }: Feed): ClusterVerdict | undefined {
  const known = verdicts.get(key);
  return known && (known.length === 1 ? known[0] : worstVerdict(known, severityOf));
}

function fateWords(one: WorkloadSummary, { feed }: ListContext): Words {
  const verdict = worstOf(one, feed);
  const whole = one.clusters.every(({ name }) => feed.forecasts.has(name));
  if (!verdict && one.clusters.length === 0) return '';
  if (!verdict) return asFaint(whole ? 'unknown' : feed.computing ? 'computing...' : '');
  return [asFaint(`${verdict.cluster}: `), verdictWords(verdict), whole ? '' : asFaint(', computing...')];
}

/** "moves to oregon×6 (estimate)" */
function verdictWords(verdict: ClusterVerdict): Words {
  const { outcome, certainty, after } = verdict;
  const to = outcome === 'moves' || outcome === 'partly-moves' ? ` to ${placementText(after)}` : '';
  const words = downWords(verdict) || outcomeTone(outcome, `${outcome}${to}`);
  return [words, certainty === 'certain' ? '' : asFaint(` (${certainty})`)];
}
