import { LabelSelector } from '../../kubernetes/schema/meta.ts';
import {
  list,
  optional,
  pointer,
  required,
  string,
  struct,
  type Schema,
} from '../../kubernetes/schema/schema.ts';

// config.karmada.io/v1alpha1

const DependentObjectReference = struct('v1alpha1.DependentObjectReference', {
  apiVersion: required(string),
  kind: required(string),
  namespace: optional(string),
  name: optional(string),
  labelSelector: optional(pointer(LabelSelector)),
});

/** What the dependencies annotation of a binding holds. */
export const dependentObjectReferences = list(DependentObjectReference) as Schema & { kind: 'list' };
