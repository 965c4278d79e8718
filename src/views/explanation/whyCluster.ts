import type { ClusterReason, WhyCluster } from '../../engine/explanation/whyCluster.ts';
import type { TextOptions } from '../answer.ts';
import { evidenceText } from '../evidence.ts';
import { columns } from '../table.ts';

/** All that speaks for and against one cluster. */
export function whyClusterText(why: WhyCluster, options: TextOptions): string {
  const { style } = options;
  const { cluster, answer, before, after, groups } = why;
  const title =
    answer === 'placed'
      ? `Why ${cluster}? ${after === before ? 'It keeps' : 'It gets'} ${after ? `${after} replicas` : 'a copy'}.`
      : `Why not ${cluster}? ${ANSWERS[answer]}.`;
  const parts = groups.map(({ affinityName, reasons }) => {
    const lines = reasons.flatMap((reason) => reasonLines(reason, options));
    const group = affinityName === undefined ? '' : `  affinity group ${affinityName}\n`;
    return `${group}${columns(lines, affinityName === undefined ? 2 : 4)}`;
  });
  return [style.strong(title), ...parts].join('\n');
}

const ANSWERS: Record<Exclude<WhyCluster['answer'], 'placed'>, string> = {
  rejected: 'It does not pass the filters',
  'not-chosen': 'It passes the filters and is not chosen',
  'no-replicas': 'It is chosen and gets no replicas',
};

function reasonLines(
  { step, speaks, plugin, text, evidence }: ClusterReason,
  options: TextOptions,
): string[][] {
  const { style, wide } = options;
  const mark = speaks === 'for' ? style.good('✓') : style.bad('✗');
  const [first] = evidence;
  const where = speaks === 'against' && first?.field ? ` ${style.faint(`[${first.field}]`)}` : '';
  return [
    [mark, plugin ?? step, `${text}${wide ? '' : where}`],
    ...(wide ? evidence.map((one) => ['', '', `  ${evidenceText(one, undefined, style)}`]) : []),
  ];
}
