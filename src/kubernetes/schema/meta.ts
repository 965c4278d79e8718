import {
  bool,
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
  uid: required(text('types.UID')),
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

export const ObjectMeta = struct('v1.ObjectMeta', {
  name: optional(string),
  generateName: optional(string),
  namespace: optional(string),
  selfLink: optional(string),
  uid: optional(text('types.UID')),
  resourceVersion: optional(string),
  generation: optional(int64),
  creationTimestamp: optional(time),
  deletionTimestamp: optional(pointer(time)),
  deletionGracePeriodSeconds: optional(pointer(int64)),
  labels: optional(map(string)),
  annotations: optional(map(string)),
  ownerReferences: optional(list(OwnerReference)),
  finalizers: optional(list(string)),
  managedFields: optional(list(ManagedFieldsEntry)),
});

const LabelSelectorRequirement = struct('v1.LabelSelectorRequirement', {
  key: required(string),
  operator: required(text('v1.LabelSelectorOperator')),
  values: optional(list(string)),
});

export const LabelSelector = struct('v1.LabelSelector', {
  matchLabels: optional(map(string)),
  matchExpressions: optional(list(LabelSelectorRequirement)),
});

export const Condition = struct('v1.Condition', {
  type: required(string, {
    maxLength: 316,
    pattern:
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
  }),
  status: required(text('v1.ConditionStatus'), { enum: ['True', 'False', 'Unknown'] }),
  observedGeneration: optional(int64, { minimum: 0 }),
  lastTransitionTime: required(time),
  reason: required(string, {
    maxLength: 1024,
    minLength: 1,
    pattern: /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/,
  }),
  message: required(string, { maxLength: 32768 }),
});
