import type { SchedulingDecision } from '../../engine/explanation/schedulingDecision.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import type {
  AttemptTrace,
  ClusterTrace,
  DivisionTrace,
  SpreadTrace,
} from '../../engine/scheduling/trace.ts';
import type { TextOptions } from '../answer.ts';
import { listed } from '../listed.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';
import { columns } from '../table.ts';
import { offsetText } from '../timelineEvent.ts';
import { matrixText } from './matrix.ts';

/** The clusters against the filters, then how the choice among them was made. */
export function decisionText(
  { decision, present }: WorkloadExplanation,
  now: number,
  options: TextOptions,
): string {
  const { style, wide, noHeaders } = options;
  const { groups } = decision;
  const hasReplicas = present.replicas !== null;
  const shown = wide ? groups : groups.slice(-1);
  const matrices = shown.map((group) => {
    const title = group.affinityName !== undefined && wide ? `  affinity group ${group.affinityName}\n` : '';
    return `${noHeaders ? '' : title}${matrixText(group, decision, hasReplicas, options)}`;
  });
  if (noHeaders) return matrices.join('\n');
  const steps = columns(
    [
      ...groupLines(decision, style),
      ...groups.slice(-1).flatMap((group) => stepLines(group, decision, style)),
      ...drawnLines(decision),
      ...(decision.dividedAnew
        ? [['rebalance', `divided anew it would be ${placementText(decision.dividedAnew)}`]]
        : []),
    ],
    2,
  );
  const parts = [style.strong(titleOf(decision, now)), ...matrices, steps];
  return parts.filter((part) => part !== '').join('\n');
}

function titleOf({ time, hypothetical, trigger, groups }: SchedulingDecision, now: number): string {
  if (groups.length === 0) return 'The scheduler has no placement to go by.';
  if (hypothetical) return 'The clusters as the scheduler would see them now (nothing makes it look):';
  const group = groups.at(-1)?.affinityName;
  const tried = group === undefined ? '' : `, affinity group ${group}`;
  return `The clusters as the scheduler sees them at ${offsetText(time, now)} (${trigger}${tried}):`;
}

function groupLines({ groups, untried }: SchedulingDecision, style: Style): string[][] {
  const named = groups.flatMap(({ affinityName, error }) =>
    affinityName === undefined ? [] : [[affinityName, error === undefined ? style.good('chosen') : error]],
  );
  const others = (before: boolean) =>
    untried.flatMap(({ affinityName, earlier, why }) =>
      earlier === before ? [[affinityName, `not tried: ${why}`]] : [],
    );
  const lines = [...others(true), ...named, ...others(false)];
  return lines.map(([name, text], index) => [index === 0 ? 'groups' : '', `${name}: ${text}`]);
}

function stepLines(group: AttemptTrace, decision: SchedulingDecision, style: Style): string[][] {
  const { spread, divisions = [], error, clusters } = group;
  const fitting = clusters.filter(({ fits }) => fits);
  const lines = [['filters', `${fitting.length} of ${clusters.length} clusters pass`]];
  if (spread) lines.push(['spread', spreadText(spread, clusters, style)]);
  for (const [index, division] of divisions.entries())
    lines.push([index === 0 ? 'division' : '', divisionText(division, group, decision)]);
  if (error !== undefined && group.affinityName === undefined) lines.push(['result', style.bad(error)]);
  return lines;
}

/** Before Karmada v1.16 what remains of a division goes to clusters of equal weight by lot. */
function drawnLines({ drawn }: SchedulingDecision): string[][] {
  if (!drawn) return [];
  const [, ...others] = drawn.among;
  const lines = others.map((placement) => `or ${placementText(placement)}`);
  return [...lines, ...(drawn.complete ? [] : ['or another'])].map((text, index) => [
    index === 0 ? 'by lot' : '',
    text,
  ]);
}

function spreadText(spread: SpreadTrace, clusters: ClusterTrace[], style: Style): string {
  const { rule, constraints, regions = [], error } = spread;
  const asked = constraints
    .map(
      ({ field, minGroups, maxGroups, groups }) =>
        `${field} ${minGroups}..${maxGroups || '∞'} (of ${groups})`,
    )
    .join(', ');
  if (rule === 'all')
    return asked
      ? `${asked}: ignored, static weights take every cluster that passes`
      : 'no constraints, all of them are taken';
  if (error !== undefined) return `${asked}: ${style.bad(error)}`;
  const chosen = clusters.filter(({ selected }) => selected).map(({ name }) => name);
  const byRegion = regions.map(
    ({ name, score, chosen: taken }) => `${taken ? '' : 'not '}${name} (score ${score})`,
  );
  return `${asked}: ${byRegion.length > 0 ? `${byRegion.join(', ')}; ` : ''}${listed(chosen)} chosen`;
}

function divisionText(
  division: DivisionTrace,
  { result }: AttemptTrace,
  { strategy }: SchedulingDecision,
): string {
  const { mode, replicas, weights, kept } = division;
  const stays = kept.length > 0 ? `keeps ${placementText(kept)}` : '';
  const gives = result ? placementText(result) : '';
  const by = listed(weights.map(({ name, weight }) => `${name} ${weight}`));
  switch (mode) {
    case 'every cluster gets all':
      return `Duplicated, each gets ${replicas}`;
    case 'unchanged':
      return `${stays}: as many replicas as wanted`;
    default: {
      const what = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
      const weighed = strategy === 'StaticWeight' ? `by weight ${by}` : `by room ${by || 'nowhere'}`;
      return [[stays, `${what} ${weighed}`].filter((text) => text !== '').join('; '), gives]
        .filter((text) => text !== '')
        .join(' → ');
    }
  }
}
