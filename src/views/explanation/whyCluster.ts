import type { ClusterReason, WhyCluster } from '../../analysis/explanation/whyCluster.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, faint, good, strong } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { evidenceWords } from '../words/evidence.ts';
import { plural } from '../words/plural.ts';

/**
 * Everything for and against one cluster.
 *
 * @param hypothetical the scheduler has no reason to look: this is what it would do
 */
export function whyClusterBlock(why: WhyCluster, hypothetical: boolean, shown: Shown): Block {
  const blocks = why.groups.map(({ affinityName, reasons }): Block => {
    const rows = [...passedFilters(reasons), ...reasons.flatMap((one) => reasonRows(one, shown))];
    const title = affinityName === undefined ? undefined : `affinity group ${affinityName}`;
    return { type: 'section', title, blocks: [{ type: 'rows', rows }] };
  });
  return { type: 'section', title: strong(titleOf(why, hypothetical)), blocks };
}

function titleOf({ cluster, answer, before, after }: WhyCluster, hypothetical: boolean): string {
  if (answer !== 'placed') return `Why not ${cluster}? ${ANSWERS[answer]}.`;
  const what = after ? plural(after, 'replica') : 'its copy';
  if (after === before) return `Why ${cluster}? It keeps ${what}.`;
  return hypothetical
    ? `Why ${cluster}? It would have ${what} if the scheduler looked again.`
    : `Why ${cluster}? It gets ${what}.`;
}

const ANSWERS: Record<Exclude<WhyCluster['answer'], 'placed'>, string> = {
  rejected: 'It does not pass the filters',
  'not-chosen': 'It passes the filters and is not chosen',
  'no-replicas': 'It is chosen and gets no replicas',
};

/** The filters that the cluster passes, in one line. */
function passedFilters(reasons: ClusterReason[]): Words[][] {
  const passed = reasons.flatMap(({ plugin, speaks }) => (plugin && speaks === 'for' ? [plugin] : []));
  return passed.length === 0 ? [] : [[good('✓'), 'filters', `${passed.join(', ')} let it pass`]];
}

function reasonRows({ step, speaks, plugin, text, evidence }: ClusterReason, { wide }: Shown): Words[][] {
  if (plugin && speaks === 'for') return [];
  const mark = speaks === 'for' ? good('✓') : bad('✗');
  const [first] = evidence;
  const where: Words = speaks === 'against' && first?.field ? [' ', faint(`[${first.field}]`)] : '';
  return [
    [mark, plugin ?? step, wide ? text : [text, where]],
    ...(wide ? evidence.map((one): Words[] => ['', '', ['  ', evidenceWords(one, undefined)]]) : []),
  ];
}
