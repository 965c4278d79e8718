import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { applicationFailover } from '../../karmada/controllers/evictions/applicationFailover.ts';
import {
  bindingEviction,
  clusterBindingEviction,
} from '../../karmada/controllers/evictions/bindingEviction.ts';
import { bindingController } from '../../karmada/controllers/works/bindingController.ts';
import { bindingStatus } from '../../karmada/controllers/works/bindingStatus.ts';
import { clusterController } from '../../karmada/controllers/clusters/clusterController.ts';
import { clusterStatus } from '../../karmada/controllers/clusters/clusterStatus.ts';
import { clusterTaintPolicyController } from '../../karmada/controllers/clusters/clusterTaintPolicyController.ts';
import type { Controller } from '../../karmada/controllers/controller.ts';
import { dependenciesDistributor } from '../../karmada/controllers/bindings/dependenciesDistributor.ts';
import { detector } from '../../karmada/controllers/bindings/detector.ts';
import { evictionPaceTeller } from '../../karmada/controllers/evictions/evictionPace.ts';
import { evictionQueue } from '../../karmada/controllers/evictions/evictionQueue.ts';
import { executionController } from '../../karmada/controllers/works/executionController.ts';
import { garbageCollector } from '../../karmada/controllers/bindings/garbageCollector.ts';
import { gracefulEviction } from '../../karmada/controllers/evictions/gracefulEviction.ts';
import { healthMonitor } from '../../karmada/controllers/clusters/healthMonitor.ts';
import { scheduler } from '../../karmada/controllers/bindings/scheduler.ts';
import { taintManager } from '../../karmada/controllers/evictions/taintManager.ts';
import { workloadRebalancer } from '../../karmada/controllers/bindings/workloadRebalancer.ts';
import { workStatus } from '../../karmada/controllers/works/workStatus.ts';
import { kubelet } from '../../karmada/members/kubelet.ts';

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
