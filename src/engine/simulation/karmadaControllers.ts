import type { MemberAssumptions } from '../scenario.ts';
import { applicationFailover } from '../controllers/evictions/applicationFailover.ts';
import { bindingEviction, clusterBindingEviction } from '../controllers/evictions/bindingEviction.ts';
import { bindingController } from '../controllers/works/bindingController.ts';
import { bindingStatus } from '../controllers/works/bindingStatus.ts';
import { clusterController } from '../controllers/clusters/clusterController.ts';
import { clusterStatus } from '../controllers/clusters/clusterStatus.ts';
import { clusterTaintPolicyController } from '../controllers/clusters/clusterTaintPolicyController.ts';
import type { Controller } from '../controllers/controller.ts';
import { dependenciesDistributor } from '../controllers/bindings/dependenciesDistributor.ts';
import { detector } from '../controllers/bindings/detector.ts';
import { evictionPaceTeller } from '../controllers/evictions/evictionPace.ts';
import { evictionQueue } from '../controllers/evictions/evictionQueue.ts';
import { executionController } from '../controllers/works/executionController.ts';
import { garbageCollector } from '../controllers/bindings/garbageCollector.ts';
import { gracefulEviction } from '../controllers/evictions/gracefulEviction.ts';
import { healthMonitor } from '../controllers/clusters/healthMonitor.ts';
import { scheduler } from '../controllers/bindings/scheduler.ts';
import { taintManager } from '../controllers/evictions/taintManager.ts';
import { workloadRebalancer } from '../controllers/bindings/workloadRebalancer.ts';
import { workStatus } from '../controllers/works/workStatus.ts';
import { kubelet } from '../members/kubelet.ts';

/** Karmada's controllers for failover, and the members' own. */
export function karmadaControllers(members: MemberAssumptions): Controller[] {
  return [
    clusterStatus,
    healthMonitor,
    clusterController,
    clusterTaintPolicyController,
    detector,
    garbageCollector,
    taintManager,
    bindingEviction,
    clusterBindingEviction,
    evictionQueue,
    evictionPaceTeller,
    scheduler,
    bindingController,
    dependenciesDistributor,
    executionController,
    kubelet(members),
    workStatus,
    bindingStatus,
    gracefulEviction,
    applicationFailover,
    workloadRebalancer,
  ];
}
