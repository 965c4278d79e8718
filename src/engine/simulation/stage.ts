import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { DeclaredHooks } from '../status/healthInterpreter.ts';
import { createAgenda, type Agenda } from './agenda.ts';
import { createControlPlane, type BindingRecord, type SimulatedControlPlane } from './controlPlane.ts';
import { startApplicationFailover } from './controllers/applicationFailoverController.ts';
import { startBindingController } from './controllers/bindingController.ts';
import { startClusterController } from './controllers/clusterController.ts';
import { startClusterStatus } from './controllers/clusterStatusController.ts';
import { startClusterTaintPolicyController } from './controllers/clusterTaintPolicyController.ts';
import { startDependenciesDistributor } from './controllers/dependenciesDistributor.ts';
import { startDetector } from './controllers/detector.ts';
import { startGracefulEviction } from './controllers/gracefulEvictionController.ts';
import { startResourceSummaries } from './controllers/resourceSummaries.ts';
import { startScheduler } from './controllers/schedulerController.ts';
import { startStatusAggregation } from './controllers/statusAggregation.ts';
import { startTaintManager } from './controllers/taintManagerController.ts';
import { startWorkloadRebalancer } from './controllers/workloadRebalancer.ts';
import { createMembers, type Members } from './members.ts';
import { createOutcomes, type Outcomes } from './outcomes.ts';
import { playScenario } from './playScenario.ts';
import type { Scenario } from '../scenario.ts';
import type { SimulationStart } from './simulationStart.ts';
import type { ReadinessChange, TracedAttempt } from './timeline.ts';

/** Nothing of interest waits longer than this after the last event from outside. */
const LONGEST = 24 * 3600_000;

export interface Stage {
  plane: SimulatedControlPlane;
  agenda: Agenda;
  members: Members;
  hooks: DeclaredHooks;
}

export interface StageOptions {
  /** a binding whose scheduling attempts and readiness are wanted in full */
  trace?: ObjectIdentity;
  /** names of gates and flags whose values nobody has confirmed */
  unconfirmed?: ReadonlySet<string>;
  /** is told now and then which instant (epoch milliseconds) the simulation has come to */
  progress?: (now: number) => void;
  /** only the outcomes are wanted: neither events nor what decisions rest on */
  outcomesAlone?: boolean;
}

/** Karmada's controllers at the start of a scenario, with those who watch them. */
export interface SetStage extends Stage {
  outcomes: Outcomes;
  /** of the traced binding */
  attempts: TracedAttempt[];
  readiness: ReadinessChange[] | undefined;
  /** the instant (epoch milliseconds) at which to stop looking */
  until: number;
}

/** Starts Karmada's controllers on a world, and plans the scenario. Nothing happens before the agenda is run. */
export function setStage(
  start: SimulationStart,
  scenario: Scenario,
  configuration: Configuration,
  options: StageOptions = {},
): SetStage {
  const { world, works, hooks, snapshot } = start;
  const agenda = createAgenda(scenario.start, options.progress);
  const plane = createControlPlane(world, agenda, !options.outcomesAlone);
  const members = createMembers(plane, agenda, works, scenario.members, hooks);

  const { featureGates, controllerManager } = configuration;
  const traced = options.trace && plane.findBinding(options.trace);
  const readiness = traced && traceReadiness(traced, members, agenda);
  startClusterController(plane, agenda);
  if (featureGates.Failover) startClusterTaintPolicyController(plane, agenda);
  const attempts: TracedAttempt[] = [];
  const scheduler = startScheduler(
    plane,
    agenda,
    configuration,
    {
      traced,
      attempted: (attempt) => void attempts.push(attempt),
      placed: (record, before) => outcomes.placed(record, before),
    },
    snapshot,
  );
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

  const lastEvent = scenario.events.reduce((last, { at }) => Math.max(last, at), scenario.start);
  const until = scenario.until ?? lastEvent + LONGEST;
  return { plane, agenda, members, hooks, outcomes, attempts, readiness, until };
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
