import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../../src/karmada/api/work.ts';
import { possibleOutcomes } from '../../../src/karmada/scheduling/division/tie.ts';
import type { DivisionTie } from '../../../src/karmada/controllers/controller.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedule } from '../../../src/karmada/scheduling/schedule.ts';
import type { AttemptTrace } from '../../../src/karmada/scheduling/trace.ts';
import type { Suite } from '../suite.ts';
import { whoeverWins } from './openTie.ts';

interface Input {
  clusters?: Cluster[];
  spec: ResourceBindingSpec;
  status?: ResourceBindingStatus;
  enableEmptyWorkloadPropagation?: boolean;
  plugins?: string;
}

interface Expected {
  clusters?: TargetCluster[];
  orderStable?: boolean;
  error?: { kind: string; message?: string; messages?: string[] };
  diagnosis?: Record<string, Record<string, string[]>>;
}

interface Answer {
  clusters?: TargetCluster[];
  error?: { kind: string; message: string };
  diagnosis: Record<string, Record<string, string[]>>;
  /** has too many outcomes to list: the winning clusters are left open */
  openTie?: DivisionTie;
}

/** Karmada sorts up to this many clusters by insertion; beyond that there are too many random comparisons to try. */
const MAX_TRIED = 12;

/** Counts by reason of "0/3 clusters are available: 1 a, 2 b.", which depend on the order of filters. */
function fitErrorTotals(message: string): string {
  return message.replace(/:.*$/, '');
}

export function scheduleSuite(gates: { MultiplePodTemplatesScheduling: boolean }): Suite {
  return {
    answer(input: Input, { rules }): { oneOf: Answer[]; beyondTrying: boolean } {
      const snapshot = createClusterSnapshot(input.clusters ?? [], {
        rules: rules.scheduling,
        featureGates: { CustomizedClusterResourceModeling: true, WorkloadAffinity: false, ...gates },
        enableEmptyWorkloadPropagation: input.enableEmptyWorkloadPropagation ?? false,
        ...(input.plugins !== undefined && { plugins: input.plugins }),
      });
      const trace: AttemptTrace = { clusters: [] };
      const result = schedule(snapshot, input.spec, input.status, trace);
      const untraced = schedule(snapshot, input.spec, input.status);
      if (!isDeepStrictEqual(result, untraced)) throw new Error('tracing changes the result');
      const diagnosis: Answer['diagnosis'] = {};
      for (const { name, filters } of trace.clusters)
        for (const { plugin, reason } of filters)
          if (reason !== undefined) (diagnosis[name] ??= {})[plugin] = [reason];
      const { outcomes, complete } = possibleOutcomes((winners) =>
        schedule(snapshot, input.spec, input.status, undefined, winners),
      );
      const openTie = complete ? undefined : result.tie;
      const parties = Math.max(0, ...(trace.divisions ?? []).map(({ weights }) => weights.length));
      return {
        oneOf: openTie
          ? [{ ...result, diagnosis, openTie }]
          : outcomes.map((outcome) => ({ ...outcome, diagnosis })),
        beyondTrying: parties > MAX_TRIED,
      };
    },
    difference(expected: Expected, actual: Answer) {
      const differ = { expected, actual };
      if (expected.error) {
        if (actual.error?.kind !== expected.error.kind) return differ;
        const { message, messages } = expected.error;
        if (message !== undefined && message !== actual.error.message) return differ;
        // The list may be incomplete: the counts after the colon depend on the order of the filters.
        if (messages && !messages.includes(actual.error.message)) {
          const same = messages.every((one) => fitErrorTotals(one) === fitErrorTotals(actual.error!.message));
          if (!same || actual.error.kind !== 'FitError') return differ;
        }
      } else {
        if (actual.error) return differ;
        const plain = (list: TargetCluster[] = []) =>
          list.map(({ replicas, ...target }) => ({ ...target, replicas: replicas ?? 0 }));
        const reported = (list: TargetCluster[] | undefined) =>
          actual.openTie ? whoeverWins(plain(list), actual.openTie) : plain(list);
        const ours = reported(actual.clusters);
        if (expected.orderStable === false) ours.sort((a, b) => (a.name < b.name ? -1 : 1));
        if (!isDeepStrictEqual(ours, reported(expected.clusters))) return differ;
      }
      if (expected.diagnosis && !isDeepStrictEqual(actual.diagnosis, expected.diagnosis)) return differ;
      return undefined;
    },
  };
}

export default scheduleSuite({ MultiplePodTemplatesScheduling: false });
