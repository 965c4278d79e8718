import { isOtherKind, type OtherObject } from '../api/otherKinds.ts';
import type { KubernetesObject, ResourceList, Toleration } from '../api/meta.ts';
import type { Component, ReplicaRequirements, ResourceBindingSpec, NodeClaim } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import { bundledHealth, bundledReplicaRevision } from '../status/healthInterpreter.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  addResourceList,
  maxResourceList,
  toResourceList,
  type ResourceTotal,
} from '../validation/resourceTotal.ts';

export type InterpreterRules = Pick<Rules, 'status' | 'propagation'>;

/** The replicas of a template, and the requirements of each; most kinds have neither. */
export interface InterpretedReplicas {
  replicas: number;
  replicaRequirements?: ReplicaRequirements;
  components?: Component[];
  /** set if the numbers are our own estimate, not those of Karmada's interpreter */
  evidence?: Evidence;
}

interface WorkloadSpec {
  replicas?: number | null;
  parallelism?: number | null;
  completions?: number | null;
  template?: { spec?: PodSpec };
}

type Template = KubernetesObject & { spec?: WorkloadSpec & PodSpec };
type Interpreter = (spec: WorkloadSpec & PodSpec) => { replicas: number; podSpec?: PodSpec };

/** Reads spec.replicas, which may have any type in an unknown schema. */
const byReplicas: Interpreter = ({ replicas, template }) => ({
  replicas: Number.isInteger(replicas) ? replicas! : 0,
  podSpec: template?.spec,
});

/** Reads a Job: never more concurrent pods than completions, which some versions ignore. */
const job =
  (jobReplicas: Rules['propagation']['jobReplicas']): Interpreter =>
  ({ parallelism, completions, template }) => {
    const wanted = parallelism ?? 0;
    const most = jobReplicas === 'parallelism' ? wanted : (completions ?? wanted);
    return { replicas: Math.min(wanted, most), podSpec: template?.spec };
  };

/** Mirrors the bundled scripts, which drop an empty node selector. */
const scripted =
  (interpret: Interpreter): Interpreter =>
  (spec) => {
    const { replicas, podSpec } = interpret(spec);
    if (!podSpec?.nodeSelector || Object.keys(podSpec.nodeSelector).length > 0) return { replicas, podSpec };
    return { replicas, podSpec: { ...podSpec, nodeSelector: undefined } };
  };

// pkg/resourceinterpreter/default, native and thirdparty
const interpreters: Record<string, Interpreter> = {
  'apps/v1/Deployment': byReplicas,
  'apps/v1/ReplicaSet': byReplicas,
  'apps/v1/StatefulSet': byReplicas,
  'v1/Pod': (podSpec) => ({ replicas: 1, podSpec }),
  'apps.kruise.io/v1alpha1/CloneSet': scripted(byReplicas),
  'apps.kruise.io/v1alpha1/UnitedDeployment': scripted(byReplicas),
  'apps.kruise.io/v1beta1/StatefulSet': scripted(byReplicas),
  'apps.kruise.io/v1alpha1/SidecarSet': () => ({ replicas: 0 }),
  'apps.kruise.io/v1alpha1/BroadcastJob': scripted(({ parallelism, template }) => ({
    replicas: parallelism ?? 1,
    podSpec: template?.spec,
  })),
  'kubeflow.org/v1/Notebook': scripted(({ template }) => ({ replicas: 1, podSpec: template?.spec })),
  'argoproj.io/v1alpha1/Workflow': scripted(({ parallelism, affinity, nodeSelector, tolerations }) => ({
    replicas: parallelism ?? 1,
    podSpec: { affinity, nodeSelector, tolerations },
  })),
};

/** The reading of its replicas depends on the version. */
const JOB = 'batch/v1/Job';

/** Every version interprets its health, only some its replicas. */
const REPLICA_SET = 'apps/v1/ReplicaSet';

// Bundled scripts that add up several pod templates.
const severalTemplates = ['flink.apache.org/v1beta1/FlinkDeployment', 'ray.io/v1/RayService'];

// Kinds with a bundled script for components.
const componentKinds = [
  'batch.volcano.sh/v1alpha1/Job',
  'flink.apache.org/v1beta1/FlinkDeployment',
  'kubeflow.org/v1/PyTorchJob',
  'kubeflow.org/v1/TFJob',
  'kubeflow.org/v2beta1/MPIJob',
  'ray.io/v1/RayCluster',
  'ray.io/v1/RayJob',
  'sparkoperator.k8s.io/v1beta2/SparkApplication',
];

interface ReplicaInputs {
  /** the kinds that the version interprets */
  rules: InterpreterRules;
  /** the control plane's ResourceInterpreterCustomizations */
  customizations: readonly KubernetesObject[];
  /** the current values of the template's binding */
  known?: Pick<ResourceBindingSpec, 'replicas' | 'replicaRequirements' | 'components'>;
  /** gates of these names */
  ResourceQuotaEstimate?: boolean;
  MultiplePodTemplatesScheduling?: boolean;
}

/**
 * The replicas of a template as Karmada's default interpreter reads them. For a customization or bundled script that is
 * not reimplemented here, the first known of these applies, with evidence: the field that the script returns, the
 * replicas of the template's binding, spec.replicas.
 */
export function interpretReplicas(template: KubernetesObject, inputs: ReplicaInputs): InterpretedReplicas {
  const { apiVersion, kind, metadata } = template;
  const { spec = {} } = template as Template;
  const { known, ResourceQuotaEstimate: resourceQuotaEstimate = false } = inputs;
  const key = `${apiVersion}/${kind}`;
  if (inputs.MultiplePodTemplatesScheduling) {
    const customization = customizationOf(template, inputs.customizations, 'componentResource');
    if (customization || componentKinds.includes(key))
      return {
        replicas: 0,
        ...(known?.components && { components: known.components }),
        evidence: notInterpreted(template, customization),
      };
  }
  const customization = customizationOf(template, inputs.customizations, 'replicaResource');
  const interpreter = interpreterOf(key, inputs.rules);
  if (customization || (severalTemplates.includes(key) && isBundled(key, inputs.rules))) {
    const evidence = notInterpreted(template, customization);
    const handedOn = customization && scriptedReplicas(scriptOf(customization), template);
    if (known) {
      const { replicas = 0, replicaRequirements } = known;
      return {
        replicas: handedOn ?? replicas,
        ...(replicaRequirements && { replicaRequirements }),
        evidence,
      };
    }
    const guess = read(interpreter ?? byReplicas);
    return { ...guess, replicas: handedOn ?? guess.replicas, evidence };
  }
  return interpreter ? read(interpreter) : { replicas: 0 };

  function read(interpret: Interpreter): InterpretedReplicas {
    const { replicas, podSpec } = interpret(spec);
    const requirements = podRequirements(podSpec, resourceQuotaEstimate);
    if (!requirements) return { replicas };
    const namespace = resourceQuotaEstimate && metadata.namespace ? { namespace: metadata.namespace } : {};
    return { replicas, replicaRequirements: { ...requirements, ...namespace } };
  }
}

/** A version's interpreter of a kind's replicas; undefined if it has none. */
function interpreterOf(key: string, rules: InterpreterRules): Interpreter | undefined {
  if (key === JOB) return job(rules.propagation.jobReplicas);
  if (!isBundled(key, rules)) return undefined;
  return Object.hasOwn(interpreters, key) ? interpreters[key] : undefined;
}

/** Every kind with a script for replicas also has one for health. */
function isBundled(key: string, { status: { bundledInterpreters } }: InterpreterRules): boolean {
  const kinds = key === REPLICA_SET ? bundledReplicaRevision : bundledHealth;
  return kinds[bundledInterpreters].has(key);
}

/** Whether the fields that define a template's replicas are outside its metadata. */
export function readsReplicas(
  template: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  customizations: readonly KubernetesObject[],
): boolean {
  const key = `${template.apiVersion}/${template.kind}`;
  return (
    key === JOB ||
    Object.hasOwn(interpreters, key) ||
    severalTemplates.includes(key) ||
    customizationOf(template, customizations, 'replicaResource') !== undefined
  );
}

type Customization = OtherObject<'ResourceInterpreterCustomization'>;

function customizationOf(
  { apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  customizations: readonly KubernetesObject[],
  operation: 'replicaResource' | 'componentResource',
): Customization | undefined {
  return customizations.find((customization): customization is Customization => {
    if (!isOtherKind(customization, 'ResourceInterpreterCustomization')) return false;
    const { target, customizations: operations } = customization.spec ?? {};
    return target?.apiVersion === apiVersion && target.kind === kind && Boolean(operations?.[operation]);
  });
}

function scriptOf({ spec }: Customization): string {
  return spec?.customizations?.replicaResource?.luaScript ?? '';
}

function notInterpreted(template: KubernetesObject, customization: KubernetesObject | undefined): Evidence {
  const { kind, metadata } = customization ?? template;
  return {
    rule: 'a script reads replicas and components of this kind from the template',
    object: { kind, ...(metadata.namespace && { namespace: metadata.namespace }), name: metadata.name },
    certainty: 'estimate',
    missing: `replicas and requirements in the binding that Karmada creates for this ${template.kind}`,
  };
}

/**
 * The number that a customization's script GetReplicas returns for a template, if the script only returns a field,
 * directly or from a variable; otherwise undefined: Lua is not executed.
 */
function scriptedReplicas(luaScript: string, template: KubernetesObject): number | undefined {
  const script = luaScript.trimEnd();
  const [header, parameter] = /function\s+GetReplicas\s*\(\s*(\w+)\s*\)/.exec(script) ?? [];
  if (header === undefined || !script.endsWith('end')) return undefined;
  const body = script.slice(script.indexOf(header) + header.length, -'end'.length);
  if (/\b(if|for|while|repeat|function)\b/.test(body)) return undefined;
  const returned = /\breturn\s+([\w.]+)\s*(,|$|\n)/.exec(body)?.[1];
  if (returned === undefined) return undefined;
  const assigned = [...body.matchAll(/(?:^|\s)(\w+)\s*=\s*([\w.]+)\s*$/gm)].filter(
    ([, name]) => name === returned,
  );
  const [object, ...path] = (assigned.length === 1 ? assigned[0]![2]! : returned).split('.');
  if (object !== parameter || path.length === 0) return undefined;
  let value: unknown = template;
  for (const field of path) value = (value as Record<string, unknown> | null | undefined)?.[field];
  return Number.isInteger(value) ? (value as number) : undefined;
}

interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  overhead?: ResourceList;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeClaim['hardNodeAffinity'] | null };
  };
  priorityClassName?: string;
}

interface Container {
  resources?: { requests?: ResourceList; limits?: ResourceList };
}

/**
 * The requirements of one replica by its pod spec: node constraints and requests, and the priority class with the gate
 * ResourceQuotaEstimate. Undefined without any.
 */
export function podRequirements(
  podSpec: PodSpec | undefined,
  resourceQuotaEstimate = false,
): ReplicaRequirements | undefined {
  const nodeClaim = podSpec && claimOnNodes(podSpec);
  const resourceRequest = podSpec && toResourceList(podRequest(podSpec));
  if (!nodeClaim && !resourceRequest) return undefined;
  const { priorityClassName } = podSpec;
  return {
    ...(nodeClaim && { nodeClaim }),
    ...(resourceRequest && { resourceRequest }),
    ...(resourceQuotaEstimate && priorityClassName && { priorityClassName }),
  };
}

function claimOnNodes({ nodeSelector, tolerations, affinity }: PodSpec): NodeClaim | undefined {
  const hardNodeAffinity = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!nodeSelector && !hardNodeAffinity && !tolerations?.length) return undefined;
  return {
    ...(hardNodeAffinity !== undefined && hardNodeAffinity !== null && { hardNodeAffinity }),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations?.length && { tolerations }),
  };
}

/** All containers together or the largest init container, whichever is larger, plus the overhead. */
function podRequest({ containers, initContainers, overhead }: PodSpec): ResourceTotal {
  let total: ResourceTotal = new Map();
  for (const container of containers ?? []) total = addResourceList(total, requests(container));
  for (const container of initContainers ?? []) total = maxResourceList(total, requests(container));
  return addResourceList(total, overhead);
}

/** A limit is the default of its request. */
function requests({ resources }: Container): ResourceList {
  return { ...resources?.limits, ...resources?.requests };
}
