import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { applicationFailover } from '../../karmada/controllers/evictions/applicationFailover.ts';
import { bindingEviction } from '../../karmada/controllers/evictions/bindingEviction.ts';
import { bindingController } from '../../karmada/controllers/works/bindingController.ts';
import { bindingStatus } from '../../karmada/controllers/works/bindingStatus.ts';
import { clusterController } from '../../karmada/controllers/clusters/clusterController.ts';
import { clusterStatus } from '../../karmada/controllers/clusters/clusterStatus.ts';
import { clusterTaintPolicyController } from '../../karmada/controllers/clusters/clusterTaintPolicyController.ts';
import type { Controller, NamedController } from '../../karmada/controllers/controller.ts';
import { dependenciesDistributor } from '../../karmada/controllers/bindings/dependenciesDistributor.ts';
import { detector } from '../../karmada/controllers/bindings/detector.ts';
import { evictionPaceTeller } from '../../karmada/controllers/evictions/evictionPace.ts';
import { evictionQueue } from '../../karmada/controllers/evictions/evictionQueue.ts';
import { executionController } from '../../karmada/controllers/works/executionController.ts';
import { garbageCollector } from '../../karmada/controllers/bindings/garbageCollector.ts';
import { gracefulEviction } from '../../karmada/controllers/evictions/gracefulEviction.ts';
import { healthMonitor } from '../../karmada/controllers/clusters/healthMonitor.ts';
import {
  factsOf,
  isStarted,
  jobFacts,
  type ControllerName,
  type Job,
} from '../../karmada/controllers/registry.ts';
import { scheduler } from '../../karmada/controllers/bindings/scheduler.ts';
import { taintManager } from '../../karmada/controllers/evictions/taintManager.ts';
import { workloadRebalancer } from '../../karmada/controllers/bindings/workloadRebalancer.ts';
import { workStatus } from '../../karmada/controllers/works/workStatus.ts';
import { kubelet } from '../../karmada/members/kubelet.ts';

/**
 * What each of Karmada's controllers does, by its name in the registry. A change that wakes several of them wakes them
 * in this order.
 */
const CONTROLLERS = {
  'cluster-status': clusterStatus,
  'health-monitor': healthMonitor,
  'cluster-controller': clusterController,
  'cluster-taint-policy-controller': clusterTaintPolicyController,
  detector,
  'garbage-collector': garbageCollector,
  'taint-manager': taintManager,
  'binding-eviction': bindingEviction,
  'cluster-binding-eviction': bindingEviction,
  'eviction-queue': evictionQueue,
  'eviction-pace': evictionPaceTeller,
  scheduler,
  'binding-controller': bindingController,
  'dependencies-distributor': dependenciesDistributor,
  'execution-controller': executionController,
  kubelet,
  'work-status': workStatus,
  'binding-status': bindingStatus,
  'graceful-eviction': gracefulEviction,
  'application-failover': applicationFailover,
  'workload-rebalancer': workloadRebalancer,
} satisfies Record<ControllerName, Controller | ((members: MemberAssumptions) => Controller)>;

const names = Object.keys(CONTROLLERS) as ControllerName[];

/** Karmada's controllers for failover, and the members' own. */
export function karmadaControllers(members: MemberAssumptions): NamedController<ControllerName>[] {
  return names.map((name) => {
    const controller = CONTROLLERS[name];
    return named(name, typeof controller === 'function' ? controller(members) : controller);
  });
}

/** Those that do these jobs on a live control plane, each with its parts. */
export function controllersFor(chosen: readonly Job[]): NamedController<ControllerName>[] {
  return chosen.flatMap((job) => {
    const { controller } = jobFacts(job);
    return names.flatMap((name) => {
      const own = CONTROLLERS[name];
      if (typeof own === 'function' || (name !== controller && factsOf(name).partOf !== controller))
        return [];
      return [named(name, own)];
    });
  });
}

function named(name: ControllerName, controller: Controller): NamedController<ControllerName> {
  const { reaction } = factsOf(name);
  return { ...controller, name, reaction, runs: (configuration) => isStarted(name, configuration) };
}
