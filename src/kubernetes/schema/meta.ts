import {
  bool,
  requiredByServer,
  embeddedFields,
  requiredField,
  int64,
  list,
  map,
  optional,
  pointer,
  raw,
  required,
  string,
  struct,
  text,
  time,
  type Data,
  type Fields,
} from './schema.ts';

// k8s.io/apimachinery/pkg/apis/meta/v1

export const TypeMeta = struct('v1.TypeMeta', {
  kind: optional(string),
  apiVersion: optional(string),
});

const OwnerReference = struct('v1.OwnerReference', {
  apiVersion: required(string),
  kind: required(string),
  name: required(string),
  uid: requiredByServer(text('types.UID')),
  controller: optional(pointer(bool)),
  blockOwnerDeletion: optional(pointer(bool)),
});

const ManagedFieldsEntry = struct('v1.ManagedFieldsEntry', {
  manager: optional(string),
  operation: optional(text('v1.ManagedFieldsOperationType')),
  apiVersion: optional(string),
  time: optional(pointer(time)),
  fieldsType: optional(string),
  fieldsV1: optional(pointer(raw)),
  subresource: optional(string),
});

type OwnerReference = Data<typeof OwnerReference>;

export const ObjectMeta = struct('v1.ObjectMeta', {
  name: requiredField(string),
  generateName: optional(string),
  namespace: optional(string),
  selfLink: optional(string),
  uid: optional(text('types.UID')),
  resourceVersion: optional(string),
  generation: optional(int64),
  /** RFC 3339 */
  creationTimestamp: optional(time),
  /** RFC 3339; present while the object is being deleted */
  deletionTimestamp: optional(pointer(time)),
  deletionGracePeriodSeconds: optional(pointer(int64)),
  labels: optional(map(string)),
  annotations: optional(map(string)),
  ownerReferences: optional(list(OwnerReference)),
  finalizers: optional(list(string)),
  managedFields: optional(list(ManagedFieldsEntry)),
});

export type ObjectMeta = Data<typeof ObjectMeta>;

/** A kind of the API: the fields of every object, and its own. */
export const kindOf = <F extends Fields>(goType: string, fields: F) =>
  struct(goType, { ...embeddedFields('TypeMeta', TypeMeta), metadata: requiredField(ObjectMeta), ...fields });

const LabelSelectorRequirement = struct('v1.LabelSelectorRequirement', {
  key: required(string),
  operator: required(text('v1.LabelSelectorOperator')),
  values: optional(list(string)),
});

export type LabelSelectorRequirement = Data<typeof LabelSelectorRequirement>;

/** metav1.LabelSelector: all parts must hold; an empty one selects everything. */
export const LabelSelector = struct('v1.LabelSelector', {
  matchLabels: optional(map(string)),
  matchExpressions: optional(list(LabelSelectorRequirement)),
});

export type LabelSelector = Data<typeof LabelSelector>;

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export const Condition = struct('v1.Condition', {
  type: required(string, {
    maxLength: 316,
    pattern:
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
  }),
  status: required(text<ConditionStatus>('v1.ConditionStatus'), { enum: ['True', 'False', 'Unknown'] }),
  observedGeneration: optional(int64, { minimum: 0 }),
  /** RFC 3339 */
  lastTransitionTime: requiredByServer(time),
  reason: requiredByServer(string, {
    maxLength: 1024,
    minLength: 1,
    pattern: /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/,
  }),
  message: requiredByServer(string, { maxLength: 32768 }),
});

export type Condition = Data<typeof Condition>;
