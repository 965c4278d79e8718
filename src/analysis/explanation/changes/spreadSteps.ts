import type { Placement, SpreadConstraint } from '../../../karmada/api/policy.ts';
import { withPlacement, type ChangeStep } from './change.ts';

/** Ways to loosen spread constraints, the gentlest first: fewer groups, more groups, no constraints. */
export function spreadSteps({ spreadConstraints = [] }: Placement): ChangeStep[] {
  if (spreadConstraints.length === 0) return [];
  return [
    ...spreadConstraints.flatMap(fewerGroups),
    ...spreadConstraints.flatMap(moreGroups),
    {
      kind: 'no-spread',
      size: 5,
      text: 'drop the spread constraints',
      apply: (proposal) => withPlacement(proposal, ({ spreadConstraints: _, ...placement }) => placement),
    },
  ];
}

function fewerGroups(constraint: SpreadConstraint, index: number): ChangeStep[] {
  const { minGroups = 0 } = constraint;
  return countdown(minGroups - 1, 1).map((fewer) => ({
    kind: 'min-groups',
    size: 1 + minGroups - fewer,
    text: `lower minGroups of the ${nameOf(constraint)} constraint from ${minGroups} to ${fewer}`,
    apply: (proposal) => withPlacement(proposal, replaced(index, { ...constraint, minGroups: fewer })),
  }));
}

/** With more additional groups than this, another step will be smaller. */
const MOST_GROUPS_MORE = 4;

function moreGroups(constraint: SpreadConstraint, index: number): ChangeStep[] {
  const { maxGroups = 0 } = constraint;
  if (maxGroups === 0) return [];
  return Array.from({ length: MOST_GROUPS_MORE }, (_, at) => maxGroups + 1 + at).map((more) => ({
    kind: 'max-groups',
    size: 1 + more - maxGroups,
    text: `raise maxGroups of the ${nameOf(constraint)} constraint from ${maxGroups} to ${more}`,
    apply: (proposal) => withPlacement(proposal, replaced(index, { ...constraint, maxGroups: more })),
  }));
}

function replaced(index: number, constraint: SpreadConstraint): (placement: Placement) => Placement {
  return (placement) => ({
    ...placement,
    spreadConstraints: placement.spreadConstraints?.map((one, at) => (at === index ? constraint : one)),
  });
}

function nameOf({ spreadByField, spreadByLabel }: SpreadConstraint): string {
  return spreadByField || spreadByLabel || 'spread';
}

function countdown(from: number, to: number): number[] {
  return from < to ? [] : Array.from({ length: from - to + 1 }, (_, at) => from - at);
}
