import type { ClusterReason, WhyCluster } from '../../engine/explanation/whyCluster.ts';
import type { TextOptions } from '../answer.ts';
import { evidenceText } from '../evidence.ts';
import { columns } from '../table.ts';

/**
 * All that speaks for and against one cluster.
 *
 * @param hypothetical the scheduler has no reason to look: it says what it would do
 */
export function whyClusterText(why: WhyCluster, hypothetical: boolean, options: TextOptions): string {
  const { style } = options;
  const parts = why.groups.map(({ affinityName, reasons }) => {
    const lines = [
      ...passedFilters(reasons, options),
      ...reasons.flatMap((one) => reasonLines(one, options)),
    ];
    const group = affinityName === undefined ? '' : `  affinity group ${affinityName}\n`;
    return `${group}${columns(lines, affinityName === undefined ? 2 : 4)}`;
  });
  return [style.strong(titleOf(why, hypothetical)), ...parts].join('\n');
}

function titleOf({ cluster, answer, before, after }: WhyCluster, hypothetical: boolean): string {
  if (answer !== 'placed') return `Why not ${cluster}? ${ANSWERS[answer]}.`;
  const what = after ? `${after} ${after === 1 ? 'replica' : 'replicas'}` : 'its copy';
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

/** Filters that have nothing against it, in one line. */
function passedFilters(reasons: ClusterReason[], { style }: TextOptions): string[][] {
  const passed = reasons.flatMap(({ plugin, speaks }) => (plugin && speaks === 'for' ? [plugin] : []));
  return passed.length === 0 ? [] : [[style.good('✓'), 'filters', `${passed.join(', ')} let it pass`]];
}

function reasonLines(
  { step, speaks, plugin, text, evidence }: ClusterReason,
  { style, wide }: TextOptions,
): string[][] {
  if (plugin && speaks === 'for') return [];
  const mark = speaks === 'for' ? style.good('✓') : style.bad('✗');
  const [first] = evidence;
  const where = speaks === 'against' && first?.field ? ` ${style.faint(`[${first.field}]`)}` : '';
  return [
    [mark, plugin ?? step, `${text}${wide ? '' : where}`],
    ...(wide ? evidence.map((one) => ['', '', `  ${evidenceText(one, undefined, style)}`]) : []),
  ];
}
