/**
 * The parts of Kubernetes' object metadata that Karmada's decisions read. Objects come from outside with
 * more fields than these; they are carried along untouched.
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

/** Any object of the API: what is known of it before its kind is looked at. */
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

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  key: string;
  value?: string;
  effect: TaintEffect;
  /** RFC 3339 */
  timeAdded?: string | null;
}

export interface Toleration {
  key?: string;
  /** empty means Equal */
  operator?: string;
  value?: string;
  effect?: string;
  /** absent means for ever; zero and negative mean not at all */
  tolerationSeconds?: number | null;
}

/** Quantities by resource name, as the API prints them: "250m", "1Gi", 3. */
export type ResourceList = Record<string, string | number>;
