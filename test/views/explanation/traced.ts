import type { SchedulingDecision } from '../../../src/analysis/explanation/schedulingDecision.ts';
import type { FilterPlugin } from '../../../src/karmada/scheduling/filters/filter.ts';
import type { AttemptTrace, ClusterTrace } from '../../../src/karmada/scheduling/trace.ts';

const PLUGINS: FilterPlugin[] = [
  'APIEnablement',
  'TaintToleration',
  'ClusterAffinity',
  'SpreadConstraint',
  'ClusterEviction',
];

/** A cluster as the scheduler saw it: what rejects it, by filter, and its capacity. */
export function traced(
  name: string,
  {
    rejects = {},
    room = 100,
    ...more
  }: Partial<ClusterTrace> & {
    rejects?: Record<string, ClusterTrace['filters'][number]['evidence']>;
    room?: number;
  } = {},
): ClusterTrace {
  return {
    name,
    deleting: false,
    filters: PLUGINS.map((plugin) => {
      const evidence = rejects[plugin];
      return evidence ? { plugin, reason: `${plugin} says no`, evidence } : { plugin };
    }),
    fits: Object.keys(rejects).length === 0,
    allocatableReplicas: room,
    availableReplicas: room,
    ...more,
  };
}

/** A decision on these clusters, in one attempt without groups. */
export function decided(
  clusters: ClusterTrace[],
  { group = {}, ...more }: Partial<SchedulingDecision> & { group?: Partial<AttemptTrace> } = {},
): SchedulingDecision {
  return {
    time: 0,
    hypothetical: false,
    trigger: 'replicas changed',
    before: [],
    untried: [],
    groups: [{ clusters, ...group }],
    ...more,
  };
}
