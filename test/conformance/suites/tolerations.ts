import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../../src/karmada/api/names.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { instant } from '../../../src/kubernetes/time.ts';
import { clusterEviction } from '../../../src/karmada/scheduling/filters/clusterEviction.ts';
import { rejectionReason } from '../../../src/karmada/scheduling/filters/filters.ts';
import { noWorkloadGroups } from '../../../src/karmada/scheduling/workloadGroups.ts';
import { createAffinities } from '../../../src/karmada/selection/clusterAffinity.ts';
import { taintToleration } from '../../../src/karmada/scheduling/filters/taintToleration.ts';
import {
  noExecuteDecision,
  noExecuteTaints,
  type NoExecuteDecision,
  usedTolerations,
} from '../../../src/karmada/taints/noExecuteDecision.ts';
import { appliedPlacement } from '../../../src/karmada/objects/appliedPlacement.ts';
import { termsOf } from '../../../src/karmada/taints/evictionTerms.ts';
import { enqueueDecision, evictionDue } from '../../../src/karmada/taints/taintedPair.ts';
import type { Suite } from '../suite.ts';

interface Input {
  now: string;
  cluster: Cluster;
  spec: ResourceBindingSpec;
}

const fit = (reason: string | undefined) => (reason ? { fit: false, reason } : { fit: true });

function nanoseconds(decision: NoExecuteDecision): number {
  if (decision.kind === 'wait') return decision.milliseconds * 1e6;
  return decision.kind === 'evict' ? 0 : -1;
}

export default {
  answer({ now, cluster, spec }: Input, { rules }: Dialect) {
    const at = instant(now);
    const taints = noExecuteTaints(cluster.spec?.taints);
    const tolerations = spec.placement?.clusterTolerations ?? [];
    const used = usedTolerations(taints, tolerations);
    const decision = noExecuteDecision(taints, tolerations, at);
    const metadata = {
      name: 'w',
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(spec.placement ?? {}) },
    };
    const due = evictionDue(taints, { metadata, spec }, termsOf({ spec }, appliedPlacement(metadata)), at);
    const context = {
      filters: [],
      rules: rules.scheduling,
      workloads: noWorkloadGroups,
      affinities: createAffinities(rules.scheduling),
    };
    return {
      noExecute: {
        allTolerated: used !== undefined,
        usedTolerations: used ?? [],
        minTolerationTimeNs: nanoseconds(decision),
      },
      needEviction: decision.kind === 'evict',
      tolerationTimeNs: nanoseconds(decision),
      enqueue: enqueueDecision(taints, due, rules).kind,
      taintToleration: fit(rejectionReason(taintToleration, spec, undefined, context)(cluster)),
      clusterEviction: fit(rejectionReason(clusterEviction, spec, undefined, context)(cluster)),
    };
  },
} satisfies Suite;
