import type {
  AggregatedStatusItem,
  ObjectReference,
  ResourceBinding,
  TargetCluster,
} from '../../../src/karmada/api/work.ts';
import type { FeatureGates } from '../../../src/karmada/configuration/configuration.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { applicationPass, type UnhealthySince } from '../../../src/karmada/application/applicationPass.ts';
import { declaredHooks, hasHealthInterpreter } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Suite } from '../suite.ts';

interface Step {
  now: string;
  aggregatedStatus?: AggregatedStatusItem[];
  setClusters?: TargetCluster[];
  clearGracefulEvictionTasks?: boolean;
}

interface Input {
  binding: ResourceBinding;
  featureGates?: Partial<FeatureGates>;
  steps: Step[];
}

export default {
  answer({ binding, featureGates, steps }: Input, { rules, defaults }: Dialect) {
    const hooks = declaredHooks([], rules);
    const knows = (resource: ObjectReference) => hasHealthInterpreter(resource, hooks);
    const gates = { ...defaults.featureGates, ...featureGates };
    let { spec } = binding;
    let unhealthySince: UnhealthySince = new Map();
    return {
      steps: steps.map(({ now, aggregatedStatus, setClusters, clearGracefulEvictionTasks }) => {
        if (setClusters) spec = { ...spec, clusters: setClusters };
        if (clearGracefulEvictionTasks) spec = { ...spec, gracefulEvictionTasks: [] };
        const result = applicationPass(
          { ...binding, spec, status: { ...binding.status, aggregatedStatus } },
          unhealthySince,
          { now: Date.parse(now), gates, rules, hasHealthInterpreter: knows },
        );
        ({ spec, unhealthySince } = result);
        return {
          unhealthyClusters: result.unhealthyClusters,
          otherClusters: result.otherClusters,
          requeueAfterSeconds: result.requeueAfter / 1000,
          error: result.error,
          clusters: spec.clusters,
          gracefulEvictionTasks: spec.gracefulEvictionTasks,
          trackedUnhealthySince: Object.fromEntries(
            [...unhealthySince].map(([cluster, since]) => [cluster, rfc3339(since)]),
          ),
        };
      }),
    };
  },
} satisfies Suite;
