import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { entitledClusters, planWorks } from '../../../src/karmada/eviction/works.ts';
import type { Suite } from '../suite.ts';

interface Input {
  spec: ResourceBindingSpec;
  existingWorkClusters?: string[];
  workClustersWithPendingFinalizer?: string[];
  templateLabels?: Record<string, string>;
  featureGates?: { StatefulFailoverInjection?: boolean };
}

export default {
  answer(input: Input, { rules }: Dialect) {
    const { spec, existingWorkClusters = [], workClustersWithPendingFinalizer = [] } = input;
    const existing = existingWorkClusters.map((cluster) => ({
      cluster,
      held: workClustersWithPendingFinalizer.includes(cluster),
    }));
    const plan = planWorks(spec, existing, {
      statefulFailoverInjection: input.featureGates?.StatefulFailoverInjection ?? false,
      rules,
    });
    return {
      expectedWorkClusters: [...entitledClusters(spec, rules)].sort(),
      works: Object.fromEntries(plan.fates),
      waitForDirectPurge: plan.waitingFor.length > 0,
      requeueAfterSeconds: (plan.requeueAfter ?? 0) / 1000,
      sync: plan.writes.map(({ cluster, replicas, preservedLabels }) => ({
        name: cluster,
        replicas,
        labels: { ...input.templateLabels, ...preservedLabels },
      })),
    };
  },
} satisfies Suite;
