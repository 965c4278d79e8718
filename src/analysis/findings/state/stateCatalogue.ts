import * as group from './checks/affinityGroups.ts';
import { alertOnUnknownMetric } from './checks/alerts.ts';
import * as application from './checks/applicationFailover.ts';
import * as selection from './checks/clusterSelection.ts';
import * as component from './checks/components.ts';
import * as controller from './checks/controllers.ts';
import * as deletion from './checks/deletions.ts';
import * as dependency from './checks/dependencies.ts';
import * as taint from './checks/evictingTaints.ts';
import * as task from './checks/evictionTasks.ts';
import * as election from './checks/elections.ts';
import { estimatorDown } from './checks/estimators.ts';
import * as failed from './checks/failedClusters.ts';
import * as health from './checks/health.ts';
import * as loss from './checks/lossOfOneCluster.ts';
import { overrideOutdated } from './checks/appliedOverrides.ts';
import * as override from './checks/overrides.ts';
import * as overrideTargets from './checks/overrideTargets.ts';
import * as pace from './checks/pace.ts';
import * as pod from './checks/podTemplates.ts';
import * as claim from './checks/policyClaims.ts';
import * as reported from './checks/reported.ts';
import { explainingBugs, otherBugs } from './checks/releases.ts';
import * as replacement from './checks/replacement.ts';
import * as capacity from './checks/capacity.ts';
import * as scheduling from './checks/scheduling.ts';
import * as preservation from './checks/statePreservation.ts';
import * as off from './checks/switches.ts';
import * as onCluster from './checks/taints.ts';
import { tolerationEffectDiffers } from './checks/tolerationEffects.ts';
import * as toleration from './checks/tolerations.ts';
import * as undone from './checks/undone.ts';
import * as uninterpreted from './checks/uninterpreted.ts';
import * as feature from './checks/unusedFeatures.ts';
import * as version from './checks/versions.ts';
import * as work from './checks/works.ts';
import * as writer from './checks/writersOfReplicas.ts';
import type { StateCheck } from './stateCheck.ts';

/**
 * The checks of a control plane, in the order in which findings of the same severity are ranked: causes before effects.
 * Ids never change: users skip and accept findings by them.
 */
export const stateChecks: readonly StateCheck[] = [
  // From a failing cluster to an eviction: the earliest step first.
  version.unknownFlag,
  off.failoverGateOff,
  off.clusterControllerOff,
  off.taintManagerOff,
  off.noExecuteEvictionOff,
  pace.evictionRateZero,
  pace.requestsLimited,
  pace.detectionHasty,
  election.leaderFlagsRefused,
  election.severalLeaders,
  off.taintPolicyControllerOff,
  version.versionUnknown,
  controller.controllerLeftOut,
  controller.queueWithoutWorkers,
  taint.noEvictingTaint,
  component.componentDown,
  component.leaderLeaseStale,
  reported.failureReported,
  toleration.appliedPlacementMissing,
  tolerationEffectDiffers,
  ...explainingBugs,
  failed.scaledOntoFailed,
  failed.clusterDown,
  failed.evictionNotStarted,
  component.clusterNeverReported,
  version.versionsDiffer,
  replacement.unclaimedBinding,
  replacement.schedulingSuspended,
  replacement.dispatchingSuspended,
  undone.executionSpaceMissing,
  controller.resourceSkipped,
  controller.reservedPropagated,
  uninterpreted.workloadControllersRun,
  uninterpreted.placementLost,
  undone.dependentOverrideMissing,
  undone.policyNotApplied,
  undone.policyMissing,
  undone.withoutBinding,
  pace.evictionRateSlow,
  pace.detectionSlow,
  pace.slowSteps,
  pace.gracefulTimeoutShort,
  pace.gracefulTimeoutLong,
  election.leaderLeaseLong,
  estimatorDown,
  replacement.foreignScheduler,
  controller.pluginLeftOut,
  controller.controllerUnknown,
  // Application failover: present problems, then future ones.
  application.evictedEverywhere,
  application.propagateDepsOff,
  application.noInterpreter,
  application.gracefulGateOff,
  preservation.statePathWrong,
  preservation.stateValueUnfit,
  preservation.injectionOff,
  application.tolerationTooShort,
  application.healthUnknown,
  application.interpreterUnused,
  application.noFurtherCluster,
  application.jobFailsOver,
  application.purgeModeNever,
  application.purgeModeDeprecated,
  // Problems of healthy clusters, the most harmful first.
  onCluster.taintOnReady,
  onCluster.taintKept,
  onCluster.taintOrphaned,
  onCluster.cordonForgotten,
  onCluster.manualTaint,
  // Placement.
  group.earlierGroupSkipped,
  capacity.duplicatedIgnoresCapacity,
  selection.labelSelectorInvalid,
  selection.selectsNoCluster,
  selection.spreadUnsatisfiable,
  capacity.componentsWithoutCapacity,
  selection.spreadNotMet,
  capacity.quotaUsedUp,
  undone.placedOnMissing,
  component.joinedTwice,
  dependency.siblingStays,
  dependency.siblingsSeparated,
  selection.clusterNameUnknown,
  selection.weightWithoutCluster,
  component.clusterReportsNothing,
  selection.apiNotServed,
  selection.spreadIgnored,
  uninterpreted.replicasNotInterpreted,
  claim.priorityCannotTakeOver,
  claim.scopeTooSmall,
  claim.noLongerSelected,
  feature.serviceGateOff,
  feature.endpointSlicesNotServed,
  capacity.quotaNotEnforced,
  failed.serviceToFailed,
  dependency.dependencyStays,
  application.propagateDepsUseless,
  claim.selectsNothing,
  selection.noSpareCluster,
  overrideTargets.overrideSelectsNothing,
  overrideTargets.overrideClusterUnknown,
  overrideTargets.overrideMissesCandidate,
  override.initContainersKept,
  override.overrideFormDeprecated,
  pod.noReadinessProbe,
  pod.podToleratesDeadNode,
  // Stuck objects: those with downtime first.
  task.taskUnscheduled,
  task.taskUnattended,
  task.taskOverdue,
  task.taskStuck,
  deletion.foreignFinalizer,
  deletion.clusterDeletionStuck,
  scheduling.schedulingFailed,
  scheduling.schedulingOverdue,
  overrideTargets.overrideDoesNotApply,
  override.overrideRenames,
  overrideOutdated,
  claim.webhookInControlPlane,
  work.workNotApplied,
  work.copyRefused,
  undone.workMissing,
  scheduling.generationUnseen,
  group.affinityGroupGone,
  undone.templateNotApplied,
  uninterpreted.finishedJobStays,
  deletion.namespaceDeleted,
  deletion.policyDeletionStuck,
  deletion.bindingDeletionStuck,
  deletion.workDeletionStuck,
  deletion.executionSpaceStuck,
  scheduling.rebalancerFailed,
  work.bindingNotApplied,
  work.workOrphaned,
  reported.conditionFailed,
  health.copyScaledElsewhere,
  health.statusNotAggregated,
  health.podsNotCreated,
  dependency.dependencyUnbound,
  health.workloadDown,
  dependency.dependentLeft,
  capacity.fullClusterChosen,
  health.workloadUnhealthy,
  task.taskHeld,
  undone.placedOutside,
  failed.weightGivesNoReplica,
  ...otherBugs,
  taint.webhookRefusesNoExecute,
  // Problems after the loss of one cluster: they follow present problems.
  loss.noCapacityElsewhere,
  loss.noSecondHome,
  loss.lossBreaksSpread,
  loss.pinnedConfig,
  // A workload that waits, or stays on the failed cluster, is not lost.
  replacement.purgeDirectlyWaits,
  toleration.toleratesForever,
  toleration.toleratesLong,
  onCluster.taintUndated,
  pace.recoverySlow,
  failed.runsTwice,
  failed.deletedOnReturn,
  failed.doesNotReturn,
  failed.weightsNotRestored,
  selection.weightsLeaveOut,
  writer.impossibleScaling,
  reported.referenceMissing,
  reported.priorityIgnored,
  writer.twoScalers,
  writer.scalingOff,
  writer.hpaWithoutRetain,
  override.overrideWritesReplicas,
  writer.federatedHpa,
  writer.cronFederatedHpa,
  writer.descheduler,
  component.agentSilent,
  component.clockSkew,
  alertOnUnknownMetric,
];
