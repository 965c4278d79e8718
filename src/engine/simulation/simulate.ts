import type { Configuration } from '../../karmada/configuration.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { declaredHooks, type DeclaredHooks } from '../status/healthInterpreter.ts';
import type { World } from '../world.ts';
import { createAgenda, type Agenda } from './agenda.ts';
import { createControlPlane, type BindingRecord, type SimulatedControlPlane } from './controlPlane.ts';
import { startApplicationFailover } from './controllers/applicationFailoverController.ts';
import { startBindingController } from './controllers/bindingController.ts';
import { startClusterController } from './controllers/clusterController.ts';
import { startClusterStatus } from './controllers/clusterStatusController.ts';
import { startClusterTaintPolicyController } from './controllers/clusterTaintPolicyController.ts';
import { startDependenciesDistributor } from './controllers/dependenciesDistributor.ts';
import { startDetector } from './controllers/detector.ts';
import { startResourceSummaries } from './controllers/resourceSummaries.ts';
import { startGracefulEviction } from './controllers/gracefulEvictionController.ts';
import { startScheduler } from './controllers/schedulerController.ts';
import { startStatusAggregation } from './controllers/statusAggregation.ts';
import { taintText } from './controllers/taintChanges.ts';
import { startTaintManager } from './controllers/taintManagerController.ts';
import { startWorkloadRebalancer } from './controllers/workloadRebalancer.ts';
import { createMembers, isReady, type Members } from './members.ts';
import { createOutcomes } from './outcomes.ts';
import { playScenario } from './playScenario.ts';
import type { Scenario } from './scenario.ts';
import { indexWorks } from './simulatedWork.ts';
import type { ClusterLoad, ClusterOutcome, ReadinessChange, Simulation, TracedAttempt } from './timeline.ts';

/** Nothing of interest waits longer than this after the last event from outside. */
const LONGEST = 24 * 3600_000;

export interface SimulateOptions {
  /** a binding whose scheduling attempts and readiness are wanted in full */
  trace?: ObjectIdentity;
  /** names of gates and flags whose values nobody has confirmed */
  unconfirmed?: ReadonlySet<string>;
  /** is told now and then which instant (epoch milliseconds) the simulation has come to */
  progress?: (now: number) => void;
  /** somebody who acts on the control plane besides Karmada's controllers, such as a drain */
  actor?: Actor;
}

/** Acts on a simulated control plane from its start on. */
export type Actor = (stage: Stage) => void;

export interface Stage {
  plane: SimulatedControlPlane;
  agenda: Agenda;
  members: Members;
  hooks: DeclaredHooks;
}

/**
 * Lets Karmada's controllers act on a world in virtual time, while the scenario happens to it, until nothing
 * more happens or `scenario.until`. The same arguments always give the same simulation; what Karmada leaves
 * undefined is decided thus: of equal instants the earlier planned goes first, bindings go oldest first, then
 * by namespace and name, and a health report on its way is taken in before tasks are judged.
 */
export function simulate(
  world: World,
  scenario: Scenario,
  configuration: Configuration,
  options: SimulateOptions = {},
): Simulation {
  const agenda = createAgenda(scenario.start, options.progress);
  const plane = createControlPlane(world, agenda);
  const hooks = declaredHooks(world.others);
  const members = createMembers(plane, agenda, indexWorks(world.works), scenario.members, hooks);
  const before = clusterLoads(plane);

  const { featureGates, controllerManager } = configuration;
  const traced = options.trace && plane.findBinding(options.trace);
  const readiness = traced && traceReadiness(traced, members, agenda);
  startClusterController(plane, agenda);
  if (featureGates.Failover) startClusterTaintPolicyController(plane, agenda);
  const attempts: TracedAttempt[] = [];
  const scheduler = startScheduler(plane, agenda, configuration, {
    traced,
    attempted: (attempt) => void attempts.push(attempt),
    placed: (record, before) => outcomes.placed(record, before),
  });
  const outcomes = createOutcomes(
    plane,
    members,
    agenda,
    scheduler,
    configuration,
    options.unconfirmed ?? new Set(),
    { unread: world.unread, hooks },
  );
  if (featureGates.Failover && controllerManager['enable-taint-manager'])
    startTaintManager(plane, agenda, configuration, outcomes);
  startGracefulEviction(plane, agenda, configuration);
  startBindingController(plane, agenda, members, configuration);
  startStatusAggregation(plane, agenda, members);
  startApplicationFailover(plane, agenda, configuration, hooks);
  startDependenciesDistributor(plane, agenda);
  startResourceSummaries(plane, agenda, members, controllerManager['cluster-status-update-frequency']);
  startWorkloadRebalancer(plane, agenda);
  startDetector(plane, agenda, configuration, world.unread);
  const clusterStatus = startClusterStatus(plane, agenda, members, configuration);
  playScenario(plane, agenda, members, clusterStatus, configuration, scenario.events);
  options.actor?.({ plane, agenda, members, hooks });

  const lastEvent = scenario.events.reduce((last, { at }) => Math.max(last, at), scenario.start);
  const atRest = agenda.run(scenario.until ?? lastEvent + LONGEST);
  const end = scenario.until ?? agenda.now();
  const after = clusterLoads(plane);
  return {
    start: scenario.start,
    end,
    atRest,
    events: plane.events,
    workloads: outcomes.all(end),
    ...(readiness ? { attempts, readiness } : {}),
    clusters: [...after].map(([name, load]): ClusterOutcome => ({
      name,
      before: before.get(name) ?? load,
      after: load,
    })),
  };
}

/** Notes how many replicas of a binding are ready, whenever that changes. */
function traceReadiness(traced: BindingRecord, members: Members, agenda: Agenda): ReadinessChange[] {
  const changes: ReadinessChange[] = [{ time: agenda.now(), ready: members.readyAtStart(traced) }];
  members.onReadiness((record) => {
    if (record !== traced) return;
    const ready = members.readyReplicas(record);
    if (ready !== changes.at(-1)!.ready) changes.push({ time: agenda.now(), ready });
  });
  return changes;
}

/** What each cluster carries, by name in order. */
function clusterLoads(plane: SimulatedControlPlane): Map<string, ClusterLoad> {
  const loads = new Map<string, ClusterLoad>();
  for (const name of [...plane.clusters.keys()].sort()) {
    const cluster = plane.clusters.get(name)!;
    const condition = cluster.status?.conditions?.find(({ type }) => type === 'Ready');
    loads.set(name, {
      workloads: 0,
      replicas: 0,
      taints: (cluster.spec?.taints ?? []).map(taintText),
      ready: isReady(cluster) ? 'True' : (condition?.status ?? 'Unknown'),
    });
  }
  const count = ({ name, replicas }: TargetCluster) => {
    const load = loads.get(name);
    if (!load) return;
    load.workloads++;
    load.replicas += replicas ?? 0;
  };
  for (const record of plane.bindings) if (!record.deleted) record.current.spec.clusters?.forEach(count);
  return loads;
}
