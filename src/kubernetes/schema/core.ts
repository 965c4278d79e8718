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
  type Data,
} from './schema.ts';

// k8s.io/api/core/v1

export const ResourceList = map(quantity, 'v1.ResourceList');

/** Quantities by resource name, as the API prints them: "250m", "1Gi", 3. */
export type ResourceList = Data<typeof ResourceList>;

export const Toleration = struct('v1.Toleration', {
  key: optional(string),
  /** empty means Equal */
  operator: optional(text('v1.TolerationOperator')),
  value: optional(string),
  effect: optional(text('v1.TaintEffect')),
  /** absent means forever; zero and negative mean evict at once */
  tolerationSeconds: optional(pointer(int64)),
});

export type Toleration = Data<typeof Toleration>;

/** PreferNoSchedule is only for nodes; PreferNoExecute for clusters in the design optimize-cluster-failover. */
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'PreferNoExecute' | 'NoExecute';

export const Taint = struct('v1.Taint', {
  key: required(string),
  value: optional(string),
  effect: required(text<TaintEffect>('v1.TaintEffect')),
  /** RFC 3339 */
  timeAdded: optional(pointer(time)),
});

export type Taint = Data<typeof Taint>;

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
