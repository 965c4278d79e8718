import type { MemberAssumptions } from '../members/memberAssumptions.ts';
import { applicationFailover } from '../application/applicationFailover.ts';
import { bindingEviction } from '../taints/bindingEviction.ts';
import { bindingController } from '../works/bindingController.ts';
import { bindingStatus } from '../status/bindingStatus.ts';
import { clusterController } from '../detection/clusterController.ts';
import { clusterStatus } from '../detection/clusterStatus.ts';
import { clusterTaintPolicyController } from '../taints/clusterTaintPolicyController.ts';
import type { Controller } from '../controllers/controller.ts';
import { dependenciesDistributor } from '../propagation/dependenciesDistributor.ts';
import { detector } from '../propagation/detector.ts';
import { evictionPaceReporter } from '../taints/evictionPace.ts';
import { evictionQueue } from '../taints/evictionQueue.ts';
import { executionController } from '../works/executionController.ts';
import { garbageCollector } from '../propagation/garbageCollector.ts';
import { gracefulEviction } from '../eviction/gracefulEviction.ts';
import { healthMonitor } from '../detection/healthMonitor.ts';
import type { ControllerName, MemoryOf } from '../controllers/karmada.ts';
import { scheduler } from '../scheduling/scheduler.ts';
import { taintManager } from '../taints/taintManager.ts';
import { workloadRebalancer } from '../propagation/workloadRebalancer.ts';
import { workStatus } from '../works/workStatus.ts';
import { kubelet } from '../members/kubelet.ts';

/**
 * The implementation of each of Karmada's controllers, by its name in the registry. A change that wakes several of them
 * wakes them in this order.
 */
export const CONTROLLERS = {
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
  'eviction-pace': evictionPaceReporter,
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
} satisfies {
  [Name in ControllerName]: Remembering<Name> | ((members: MemberAssumptions) => Remembering<Name>);
};

/** A controller whose memory has the shape declared in its entry. */
type Remembering<Name extends ControllerName> = Controller<
  keyof MemoryOf<Name> extends never ? unknown : MemoryOf<Name>
>;
