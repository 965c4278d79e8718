import {
  int64,
  list,
  map,
  optional,
  pointer,
  quantity,
  required,
  string,
  struct,
  text,
  time,
} from './schema.ts';

// k8s.io/api/core/v1

export const ResourceList = map(quantity, 'v1.ResourceList');

export const Toleration = struct('v1.Toleration', {
  key: optional(string),
  operator: optional(text('v1.TolerationOperator')),
  value: optional(string),
  effect: optional(text('v1.TaintEffect')),
  tolerationSeconds: optional(pointer(int64)),
});

export const Taint = struct('v1.Taint', {
  key: required(string),
  value: optional(string),
  effect: required(text('v1.TaintEffect')),
  timeAdded: optional(pointer(time)),
});

export const NodeSelectorRequirement = struct('v1.NodeSelectorRequirement', {
  key: required(string),
  operator: required(text('v1.NodeSelectorOperator')),
  values: optional(list(string)),
});

const NodeSelectorTerm = struct('v1.NodeSelectorTerm', {
  matchExpressions: optional(list(NodeSelectorRequirement)),
  matchFields: optional(list(NodeSelectorRequirement)),
});

export const NodeSelector = struct('v1.NodeSelector', {
  nodeSelectorTerms: required(list(NodeSelectorTerm)),
});

export const ResourceQuotaStatus = struct('v1.ResourceQuotaStatus', {
  hard: optional(ResourceList),
  used: optional(ResourceList),
});
