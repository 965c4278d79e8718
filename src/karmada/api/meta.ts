export type { LabelSelector, LabelSelectorRequirement } from '../../kubernetes/labelSelector.ts';
export type { Taint, TaintEffect, Toleration } from '../../kubernetes/tolerations.ts';

/**
 * The parts of Kubernetes' object metadata that Karmada's decisions read. Objects from outside have more fields than
 * these; all of them are kept.
 */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid?: string;
  controller?: boolean;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  generation?: number;
  resourceVersion?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  /** RFC 3339 */
  creationTimestamp?: string | null;
  /** RFC 3339; present while the object is being deleted */
  deletionTimestamp?: string | null;
}

/** Any object of the API, whatever its kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** How evidence, events and messages name an object. */
export interface ObjectIdentity {
  kind: string;
  namespace?: string;
  name: string;
}

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  type: string;
  status: ConditionStatus;
  reason?: string;
  message?: string;
  /** RFC 3339 */
  lastTransitionTime?: string;
  observedGeneration?: number;
}

/** Quantities by resource name, as the API prints them: "250m", "1Gi", 3. */
export type ResourceList = Record<string, string | number>;
