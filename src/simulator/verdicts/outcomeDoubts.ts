import type { ResourceBinding, ResourceBindingSpec } from '../../karmada/api/work.ts';
import { tolerationSecondsOf } from '../../karmada/application/applicationPass.ts';
import type { FreeChoice } from '../../karmada/controllers/controller.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { hasRecovered } from '../../karmada/objects/clusterReadiness.ts';
import { componentsShort } from '../../karmada/scheduling/capacity/componentsShort.ts';
import { isDividedByCapacity } from '../../karmada/scheduling/strategy.ts';
import { groupKeys } from '../../karmada/scheduling/workloadGroups.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import { formatDuration, SECOND } from '../../kubernetes/time.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import {
  type Doubt,
  estimate,
  type JudgedWorkload,
  NEXT_REPORT,
  relisted,
  UNKNOWN_RETRY_TIME,
  capacityDoubts,
  unknown,
} from './doubt.ts';
import type { FollowedWorkload } from './judge.ts';
import { stateDoubts } from './stateDoubts.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/** The certainty of an outcome, and what an estimate or unknown depends on. */
interface OutcomeCertainty {
  certainty: Certainty;
  dependsOn?: string[];
}

/** Collects the doubts about outcomes, by key of the binding. */
export interface OutcomeDoubts {
  /** the outcome of the binding depends on something that Karmada does not guarantee */
  choice(binding: string, choice: FreeChoice): void;
  /** a process started by the scenario acts on the binding only in a retry */
  retriedAfterStart(binding: string, component: string): void;
  /** within a second, either retry of a Work may come first after its cluster is Ready again */
  closeRetry(binding: string, cluster: string): void;
  /** Karmada does not guarantee whether a cluster has a taint, which may affect later scheduling */
  openTaint(): void;
  /** the scheduler has placed the binding */
  placed(binding: string, placed: ResourceBinding): void;
  /** a Work of the binding was written for a cluster; Karmada's informers of that cluster may be stale */
  written(binding: string, written: ResourceBinding, cluster: string, mayBeStale: boolean): void;
  /** the scheduler has found no cluster for the binding, and retries */
  refused(binding: string, refused: ResourceBinding): void;
  /** the binding's application is unhealthy for longer than tolerated, but its eviction failed */
  evictionFailed(binding: string): void;
  /** application failover has evicted a copy that needs a guessed time to start */
  evictedWhileStarting(binding: string, evicted: ResourceBinding): void;
  /** those with a doubt since the start */
  noted(): Iterable<string>;
  /** The doubts at the end, including those about missing state. */
  of(judged: JudgedWorkload): OutcomeCertainty;
}

const choices: Readonly<Record<FreeChoice, string>> = {
  'turn in a paced queue': 'the order of the eviction queue, which Karmada does not guarantee',
  'turn in the one queue':
    'the order of the eviction queue: random for clusters that fail together, and the state does not have its earlier entries',
  'stale health':
    'whether Karmada uses stale health, from before the scale-up: it would delete the old copy at once',
  'random tie':
    'how Karmada breaks a tie: at random before v1.16, since then by the uid, which does not exist yet',
  'order of policies':
    'the order of ClusterTaintPolicies created in the same second, which Karmada does not guarantee',
};

/** @param unverified names of gates and flags whose values are unverified */
export function collectDoubts(start: StartingWorld, unverified: ReadonlySet<string>): OutcomeDoubts {
  const noted = new Map<string, Set<string>>();
  const note = (key: string, what: string): void => {
    const known = noted.get(key);
    if (known) known.add(what);
    else noted.set(key, new Set([what]));
  };
  const capacity = capacityDoubtsOf(start);
  const ofState = stateDoubtsOf(start)(unverified);
  /** bindings placed after the scheduler had found no cluster for them */
  const placedAtLast = new Set<string>();
  const refused = new Set<string>();
  const withoutCapacityDoubts = new Map<string, Doubt[]>();
  const placesAtStart = (key: string): ReadonlySet<string> =>
    new Set(start.bindings.get(key)?.spec.clusters?.map(({ name }) => name));
  const noteComponents = (key: string, { spec }: ResourceBinding): void => {
    const { index, fleet } = start.fleet;
    const had = placesAtStart(key);
    const short = (spec.clusters ?? []).flatMap(({ name }) => {
      // The capacity that a cluster reports excludes running workloads.
      const at = had.has(name) ? undefined : index.get(name);
      return (at !== undefined && componentsShort(spec.components, name, fleet.capacities[at]!)?.text) || [];
    });
    withoutCapacityDoubts.set(
      key,
      short.map((text) => unknown(`whether its Pods stay Pending: ${text}`)),
    );
  };
  let taintsAreOpen = false;
  const noteTaints = (key: string): void => {
    if (taintsAreOpen) note(key, choices['order of policies']);
  };
  /** bindings that the scheduler has handled, by workload affinity group */
  const handled = new Map<string, Set<string>>();
  const noteGroups = (key: string, binding: ResourceBinding): void => {
    if (!start.configuration.featureGates.WorkloadAffinity) return;
    for (const group of groupKeys(binding)) {
      const own = getOrAdd(handled, group, () => new Set<string>()).add(key);
      if (own.size > 1)
        for (const one of own)
          note(
            one,
            'the order in which its workload affinity group is scheduled, which Karmada does not guarantee',
          );
    }
  };
  const back = recentlyBack(start);
  const noteCapacity = (key: string, { spec }: ResourceBinding): void => {
    if (isDividedByCapacity(spec.placement)) for (const what of capacity) note(key, what);
  };
  return {
    choice: (key, choice) => note(key, choices[choice]),
    retriedAfterStart: (key, component) =>
      note(key, `when ${component} retries after its restart: exponential back-off, retry time unknown`),
    closeRetry: (key, cluster) =>
      note(
        key,
        `when the Work on ${cluster} is written or removed: ${cluster} becomes Ready within a second of a retry, retry time unknown`,
      ),
    openTaint: () => void (taintsAreOpen = true),
    evictionFailed: (key) => note(key, NEXT_REPORT.what),
    evictedWhileStarting: (key, { spec }) => note(key, guessedStart(spec, start)),
    noted: () => [...noted.keys(), ...placedAtLast, ...withoutCapacityDoubts.keys()],
    placed(key, binding) {
      noteTaints(key);
      noteGroups(key, binding);
      noteCapacity(key, binding);
      if (binding.spec.components?.length) noteComponents(key, binding);
      if (refused.has(key)) placedAtLast.add(key);
    },
    written(key, { spec }, cluster, mayBeStale) {
      if (mayBeStale) note(key, relisted(cluster).what);
      const work = start.works(key).get(cluster);
      if (back.has(cluster) && spec.replicas && (!work || work.metadata.deletionTimestamp))
        note(
          key,
          `whether ${cluster} still runs an old copy: it returned earlier, and Karmada may not report what stayed there`,
        );
    },
    refused(key, binding) {
      noteTaints(key);
      noteGroups(key, binding);
      noteCapacity(key, binding);
      refused.add(key);
    },
    of(judged) {
      const doubts = Array.from(noted.get(judged.key) ?? [], estimate);
      if (placedAtLast.has(judged.key)) doubts.push(UNKNOWN_RETRY_TIME);
      appendAll(doubts, withoutCapacityDoubts.get(judged.key) ?? []);
      appendAll(doubts, ofState(judged));
      if (doubts.length === 0) return { certainty: 'certain' };
      const isUnknown = doubts.some(({ certainty }) => certainty === 'unknown');
      return {
        certainty: isUnknown ? 'unknown' : 'estimate',
        dependsOn: [...new Set(doubts.map(({ what }) => what))],
      };
    },
  };
}

/** The doubt about the guessed time until replicas are ready, as text after "depends on". */
function guessedStart(spec: ResourceBindingSpec, { members, configuration }: StartingWorld): string {
  const guess = members.workloadReadyAfter;
  const tolerated = tolerationSecondsOf(spec, configuration.rules) * SECOND;
  const compared = guess === tolerated ? 'equals' : guess > tolerated ? 'is longer than' : 'is close to';
  return `the assumed ${formatDuration(guess)} until replicas are ready ${compared} the toleration of ${formatDuration(tolerated)}: with a shorter one it is not evicted`;
}

/** The outcome of a dependent is no more certain than its parents'. */
export function withDoubtsOf(
  followed: readonly FollowedWorkload[] | undefined,
  { certainty, dependsOn = [] }: OutcomeCertainty,
): OutcomeCertainty {
  const theirs = followed?.flatMap(({ result }) => result ?? []) ?? [];
  const all = [certainty, ...theirs.map((one) => one.certainty)];
  const worst = all.find((one) => one === 'unknown') ?? all.find((one) => one !== 'certain');
  if (worst === undefined) return { certainty };
  return {
    certainty: worst,
    dependsOn: [...new Set([...theirs.flatMap((one) => one.dependsOn ?? []), ...dependsOn])],
  };
}

const capacityDoubtsOf = lazilyFor(({ configuration, clusters }: StartingWorld) =>
  capacityDoubts(configuration, [...clusters.values()]),
);

const stateDoubtsOf = lazilyFor((start: StartingWorld) =>
  lazilyFor((unverified: ReadonlySet<string>) => stateDoubts(start, unverified)),
);

/** The Push clusters that were not Ready shortly before the start: members that informers may still have to relist. */
const recentlyBack = lazilyFor(({ clusters, start }: StartingWorld): ReadonlySet<string> => {
  const back = [...clusters.values()].filter(
    (cluster) => cluster.spec?.syncMode !== 'Pull' && hasRecovered(cluster, start),
  );
  return new Set(back.map(({ metadata }) => metadata.name));
});
