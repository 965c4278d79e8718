import { Condition, ObjectMeta, TypeMeta } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  embedded,
  list,
  optional,
  pointer,
  raw,
  required,
  string,
  struct,
  text,
} from '../../kubernetes/schema/schema.ts';

// work.karmada.io/v1alpha1: the fields that decisions read

/** Karmada takes any manifest; its kind and name say which binding a Work serves. */
const Manifest = struct('v1alpha1.Manifest', {
  apiVersion: required(string),
  kind: required(string),
  metadata: required(ObjectMeta),
});

const ManifestStatus = struct('v1alpha1.ManifestStatus', {
  identifier: optional(raw),
  status: optional(pointer(raw)),
  health: optional(text('v1alpha1.ResourceHealth'), { enum: ['Healthy', 'Unhealthy', 'Unknown'] }),
});

export const Work = struct('v1alpha1.Work', {
  ...embedded('TypeMeta', TypeMeta),
  metadata: optional(ObjectMeta),
  spec: optional(
    struct('v1alpha1.WorkSpec', {
      workload: optional(struct('v1alpha1.WorkloadTemplate', { manifests: optional(list(Manifest)) })),
      suspendDispatching: optional(pointer(bool)),
      preserveResourcesOnDeletion: optional(pointer(bool)),
    }),
  ),
  status: optional(
    struct('v1alpha1.WorkStatus', {
      conditions: optional(list(Condition)),
      manifestStatuses: optional(list(ManifestStatus)),
    }),
  ),
});
