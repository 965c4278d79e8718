import type { MemberAssumptions } from '../scenario.ts';
import { applicationFailover } from '../controllers/applicationFailover.ts';
import { bindingEviction, clusterBindingEviction } from '../controllers/bindingEviction.ts';
import { bindingController } from '../controllers/bindingController.ts';
import { bindingStatus } from '../controllers/bindingStatus.ts';
import { clusterController } from '../controllers/clusterController.ts';
import { clusterStatus } from '../controllers/clusterStatus.ts';
import { clusterTaintPolicyController } from '../controllers/clusterTaintPolicyController.ts';
import type { Controller } from '../controllers/controller.ts';
import { dependenciesDistributor } from '../controllers/dependenciesDistributor.ts';
import { detector } from '../controllers/detector.ts';
import { evictionPaceTeller } from '../controllers/evictionPace.ts';
import { evictionQueue } from '../controllers/evictionQueue.ts';
import { executionController } from '../controllers/executionController.ts';
import { garbageCollector } from '../controllers/garbageCollector.ts';
import { gracefulEviction } from '../controllers/gracefulEviction.ts';
import { healthMonitor } from '../controllers/healthMonitor.ts';
import { scheduler } from '../controllers/scheduler.ts';
import { taintManager } from '../controllers/taintManager.ts';
import { workloadRebalancer } from '../controllers/workloadRebalancer.ts';
import { workStatus } from '../controllers/workStatus.ts';
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
