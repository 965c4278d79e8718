import type { MatchCondition } from '../../../karmada/api/policy.ts';
import { entryProblem, listVerdict, type ListVerdict } from '../../taintPolicy/conditionLists.ts';
import type { CheckOf, RuleOf } from '../check.ts';
import type { ObservedPolicy } from './policyRisk.ts';
import type { NeverHolds, OfPolicy, AlwaysMatchRisk, RiskOfPolicy } from './policyRisk.ts';

type ListName = 'addOnConditions' | 'removeOnConditions' | 'matchConditions';

interface ConditionList extends Pick<ObservedPolicy, 'own'> {
  at: OfPolicy;
  list: ListName;
  conditions: readonly MatchCondition[];
  verdict: ListVerdict;
  /** whether the policy lists a taint, without which its lists have no effect */
  listsTaints: boolean;
}

/** The lists that a policy of this form has. */
export function conditionListsOf({ policy, hasWindows, own }: ObservedPolicy): ConditionList[] {
  const { metadata, spec } = policy;
  const names = hasWindows
    ? (['matchConditions'] as const)
    : (['addOnConditions', 'removeOnConditions'] as const);
  return names.map((list) => {
    const conditions = spec[list] ?? [];
    return {
      at: { policy: metadata.name, field: `spec.${list}` },
      list,
      conditions,
      verdict: listVerdict(conditions),
      listsTaints: !hasWindows || (spec.taintsToAdd ?? []).length > 0,
      own,
    };
  });
}

type ListCheck = CheckOf<ConditionList, RiskOfPolicy>;

const ofFiles = { severity: 'warning', needs: ['ClusterTaintPolicy', 'Configuration'] } as const;

/** A list that can never hold. */
function neverHolds(list: ListName, code: NeverHolds['code']) {
  return (of: ConditionList): (OfPolicy & NeverHolds)[] => {
    if (of.list !== list || of.verdict !== 'never' || !of.listsTaints) return [];
    const entries = of.conditions.flatMap((entry, index) => {
      const problem = entryProblem(entry);
      return problem ? [{ index, problem }] : [];
    });
    return [{ ...of.at, code, entries }];
  };
}

/** A list whose verdict alone is a finding. */
function withVerdict(list: ListName, verdict: ListVerdict, code: AlwaysMatchRisk['code']) {
  return (of: ConditionList): (OfPolicy & AlwaysMatchRisk)[] =>
    of.list === list && of.verdict === verdict && of.listsTaints ? [{ ...of.at, code }] : [];
}

const NEVER_HOLDS =
  'All entries of the list must hold at once. Operators are In and NotIn, statuses True, False and Unknown; entries that contradict each other never match.';

export const removalNeverMatches: ListCheck = {
  ...ofFiles,
  id: 'removal-never-matches',
  title: 'removeOnConditions that can never match',
  help: NEVER_HOLDS,
  find: neverHolds('removeOnConditions', 'removal-never-matches'),
};

export const additionNeverMatches: ListCheck = {
  ...ofFiles,
  id: 'addition-never-matches',
  title: 'addOnConditions that can never match',
  help: NEVER_HOLDS,
  find: neverHolds('addOnConditions', 'addition-never-matches'),
};

export const removalAlwaysMatches: ListCheck = {
  ...ofFiles,
  id: 'removal-always-matches',
  title: 'removeOnConditions that always hold',
  help: 'The policy removes its taints at every reconcile, even if another client set them: removal wins within a policy.',
  find: withVerdict('removeOnConditions', 'always', 'removal-always-matches'),
};

export const additionAlwaysMatches: ListCheck = {
  ...ofFiles,
  id: 'addition-always-matches',
  title: 'addOnConditions that always hold',
  help: 'Every cluster that reports these conditions gets the taints, whatever their status.',
  find: withVerdict('addOnConditions', 'always', 'addition-always-matches'),
};

export const noMatchConditions: ListCheck = {
  ...ofFiles,
  id: 'no-match-conditions',
  title: 'a policy without matchConditions',
  help: 'In the design Optimize Cluster Failover no matchConditions always match: every target cluster of the policy gets its taints, and keeps them. Name the conditions, or the clusters in targetCluster.',
  find: withVerdict('matchConditions', 'empty', 'no-match-conditions'),
};

export const matchAlways: ListCheck = {
  ...ofFiles,
  id: 'match-always',
  title: 'matchConditions that always match',
  help: 'Every cluster that reports these conditions gets the taints, whatever their status, and keeps them.',
  find: withVerdict('matchConditions', 'always', 'match-always'),
};

export const matchNever: ListCheck = {
  ...ofFiles,
  id: 'match-never',
  title: 'matchConditions that can never match',
  help: 'All entries of the list must match at once; entries that contradict each other never do. Such a policy only removes taints.',
  find: neverHolds('matchConditions', 'match-never'),
};

/** Conditions of a list that some clusters of the policy do not report. */
export const conditionNotReported: ListCheck = {
  id: 'condition-not-reported',
  severity: 'warning',
  title: 'a condition that clusters do not report',
  help: 'An entry about a condition that a cluster does not have never holds there, not even with NotIn. Check the name of the type, and who reports it.',
  needs: ['ClusterTaintPolicy', 'Cluster'],
  find: ({ at, conditions, own }) =>
    conditions.flatMap(({ conditionType }, index) => {
      const lacking = own.filter(
        ({ status }) => !status?.conditions?.some(({ type }) => type === conditionType),
      );
      if (lacking.length === 0) return [];
      return {
        code: 'condition-not-reported' as const,
        policy: at.policy,
        field: `${at.field}[${index}].conditionType`,
        conditionType,
        clusters: lacking.map(({ metadata }) => metadata.name).sort(),
        everywhere: lacking.length === own.length,
        reported: [
          ...new Set(lacking.flatMap(({ status }) => status?.conditions?.map(({ type }) => type) ?? [])),
        ].sort(),
      };
    }),
};

/** The checks of a list, in the order in which they are reported. */
export const checksOfList: readonly RuleOf<ConditionList, RiskOfPolicy>[] = [
  additionNeverMatches,
  additionAlwaysMatches,
  removalNeverMatches,
  removalAlwaysMatches,
  noMatchConditions,
  matchAlways,
  matchNever,
  conditionNotReported,
];
