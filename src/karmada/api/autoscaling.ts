import { kindOf } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  int32,
  list,
  optional,
  plannedTime,
  pointer,
  raw,
  required,
  string,
  struct,
  type Data,
} from '../../kubernetes/schema/schema.ts';

// autoscaling.karmada.io/v1alpha1: the fields that rules read

const ScaleTarget = struct('v2.CrossVersionObjectReference', {
  apiVersion: optional(string),
  kind: required(string),
  name: required(string),
});

export const FederatedHPA = kindOf('v1alpha1.FederatedHPA', {
  // Snapshots may keep only the metadata.
  spec: optional(
    struct('v1alpha1.FederatedHPASpec', {
      scaleTargetRef: required(ScaleTarget),
      minReplicas: optional(pointer(int32)),
      maxReplicas: optional(int32),
      // types of the HorizontalPodAutoscaler, reused by Karmada
      metrics: optional(list(raw)),
      behavior: optional(pointer(raw)),
    }),
  ),
});

const CronFederatedHPARule = struct('v1alpha1.CronFederatedHPARule', {
  name: required(string),
  schedule: required(string),
  targetReplicas: optional(pointer(int32)),
  targetMinReplicas: optional(pointer(int32)),
  targetMaxReplicas: optional(pointer(int32)),
  suspend: optional(pointer(bool)),
  timeZone: optional(pointer(string)),
  successfulHistoryLimit: optional(pointer(int32)),
  failedHistoryLimit: optional(pointer(int32)),
});

const ExecutionHistory = struct('v1alpha1.ExecutionHistory', {
  ruleName: required(string),
  nextExecutionTime: optional(pointer(plannedTime)),
});

export const CronFederatedHPA = kindOf('v1alpha1.CronFederatedHPA', {
  spec: optional(
    struct('v1alpha1.CronFederatedHPASpec', {
      scaleTargetRef: required(ScaleTarget),
      rules: required(list(CronFederatedHPARule)),
    }),
  ),
  status: optional(
    struct('v1alpha1.CronFederatedHPAStatus', { executionHistories: optional(list(ExecutionHistory)) }),
  ),
});

export type FederatedHPA = Data<typeof FederatedHPA>;
export type CronFederatedHPA = Data<typeof CronFederatedHPA>;
