import type { ObjectMeta } from '../../kubernetes/schema/meta.ts';

export type { ResourceList, Taint, TaintEffect, Toleration } from '../../kubernetes/schema/core.ts';
export type {
  Condition,
  ConditionStatus,
  LabelSelector,
  LabelSelectorRequirement,
  ObjectMeta,
} from '../../kubernetes/schema/meta.ts';

/** Any API object, whatever its kind; the contents of spec and status are unchecked. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec?: unknown;
  status?: unknown;
}

/** How evidence, events and messages identify an object. */
export interface ObjectIdentity {
  kind: string;
  namespace?: string;
  name: string;
}
