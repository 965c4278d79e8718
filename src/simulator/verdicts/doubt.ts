import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import type { UnreadyReplicas } from './judge.ts';
import type { SimulationEnd } from './outcome.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { inactivePolicies } from '../../karmada/taints/inactivePolicies.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { missingBeginning } from '../../karmada/taints/windows/missingBeginning.ts';
import { taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { controllersOff } from '../../karmada/dialects/controllerList.ts';
import { stoppedComponents } from './stoppedComponents.ts';

/** An uncertainty of an answer, as text after "depends on". */
export interface Doubt {
  certainty: Exclude<Certainty, 'certain'>;
  what: string;
  /** the input that would resolve it, and how to provide it */
  missing?: string;
}

/** A doubt whose answer is an estimate: the deciding fact is only partly known, or assumed. */
export const estimate = (what: string): Doubt => ({ certainty: 'estimate', what });

/** A doubt whose answer is unknown, like the deciding fact. */
export const unknown = (what: string): Doubt => ({ certainty: 'unknown', what });

/** The doubt about a retry; dropped if the workload is never placed. */
export const UNKNOWN_RETRY_TIME = estimate(
  'when the scheduler retries: exponential back-off, retry time unknown',
);

/** The doubt about a Work on a cluster that had just recovered. */
export const relisted = (cluster: string): Doubt =>
  estimate(
    `when Karmada relists ${cluster}, which returned earlier: up to two minutes later, and until then it may refuse a Work and reports no status`,
  );

/** The facts about a workload when it is judged. */
export interface JudgedWorkload {
  /** of its binding */
  key: string;
  initial: ResourceBinding;
  evicted: boolean;
  /** its clusters that failed or got a NoExecute taint, and those of them without such a taint */
  troubled: ReadonlySet<string>;
  untainted: readonly string[];
  unready: UnreadyReplicas | undefined;
  /** the clusters on which replicas from the start are overdue and not ready */
  late: readonly string[];
  ended: SimulationEnd;
}

/** The doubts about one workload, found by a rule in the state. */
export type Doubts = (judged: JudgedWorkload) => Doubt[];

/** The doubt about an application whose toleration is over, but whose eviction fails or was not observed. */
export const NEXT_REPORT = estimate(
  'what its cluster reports next: it is Unhealthy for longer than tolerated, and each report may evict it',
);

/** Why available capacity is an estimate. */
export function capacityDoubts(
  { scheduler, featureGates }: Pick<Configuration, 'scheduler' | 'featureGates'>,
  clusters: readonly Cluster[],
): string[] {
  const modelled = clusters.some(
    ({ status }) =>
      status?.resourceSummary?.allocatableModelings?.length && status.nodeSummary?.totalNum !== 1,
  );
  return [
    scheduler['enable-scheduler-estimator']
      ? 'the answers of the scheduler estimators, which are not in the state'
      : featureGates.CustomizedClusterResourceModeling && modelled
        ? 'reported capacity, followed from the capture: pod-to-node placement is not in the state'
        : 'reported capacity, followed from the capture',
    ...(featureGates.SchedulingOvercommitProtection
      ? [
          'the capacity that the scheduler reserves for workloads that are not healthy yet (SchedulingOvercommitProtection)',
        ]
      : []),
  ];
}

/** Doubts about open windows of ClusterTaintPolicies whose beginning is not in the state. */
export function windowDoubts(start: StartingWorld): Doubts {
  const open = lazily(() => windowsWithoutBeginning(start));
  return ({ initial: { spec }, evicted }) => {
    const on = new Set(placedOn(spec).map(({ name }) => name));
    // Evicted workloads may go to any cluster.
    const concerned = open().filter(({ cluster }) => evicted || on.has(cluster));
    return concerned.map(({ missing }) => estimate(missing));
  };
}

/** The clusters with such an open window, and the input that would settle its end; a saved simulation has them all. */
function windowsWithoutBeginning(start: StartingWorld): { cluster: string; missing: string }[] {
  const { configuration, world, clusters, taintPolicies } = start;
  const { rules } = configuration;
  if (rules.api.taintPolicyForm !== 'windows' || world.simulation || inactivePolicies(configuration))
    return [];
  const policies = [...taintPolicies.values()];
  return [...clusters].flatMap(([name, cluster]) =>
    taintWindows(cluster, policies, undefined, start.start, rules.scheduling).windows.flatMap((window) => {
      const there = (cluster.spec?.taints ?? []).some((one) => sameTaint(one, window.taint));
      // The window's end has no effect, or is past.
      if (there === (window.verb === 'adds') || window.ends <= start.start) return [];
      if (evictingTaints([window.taint], rules).length === 0) return [];
      const missing = missingBeginning(window.match, name);
      return missing === undefined ? [] : [{ cluster: name, missing }];
    }),
  );
}

/**
 * Doubts because controllers do not run: the components that evict and place workloads, or controllers that
 * --controllers of karmada-controller-manager omits, which another program may run.
 *
 * @param now epoch milliseconds
 */
export function doubtsOfNotRunning(
  world: Pick<ResumableWorld, 'others' | 'readAt' | 'simulation'>,
  { controllerManager }: Configuration,
  now: number,
): Doubt[] {
  const { leftOut, assumedStarted } = controllersOff(controllerManager.controllers);
  return [
    ...(leftOut.length > 0
      ? [
          unknown(
            `controllers that karmada-controller-manager does not start (${leftOut.join(', ')}): assumed not to run elsewhere either`,
          ),
        ]
      : []),
    ...(assumedStarted.length > 0
      ? [
          unknown(
            `controllers that karmada-controller-manager does not start (${assumedStarted.join(', ')}): assumed to run all the same`,
          ),
        ]
      : []),
    ...stoppedComponents(world, now).map(({ text }) => unknown(`whether this ends: ${text}`)),
  ];
}
