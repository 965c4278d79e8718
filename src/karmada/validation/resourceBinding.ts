import { type FieldError, invalid } from '../../kubernetes/fieldErrors.ts';
import {
  type Quantity,
  addQuantities,
  compareQuantities,
  fitsInt64,
  formatQuantity,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import { unmarshal } from '../../kubernetes/goJson.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import { decodeObject } from '../api/decodeObject.ts';
import type { ObjectMeta, ResourceList } from '../api/meta.ts';
import { DEPENDENCIES_ANNOTATION } from '../api/names.ts';
import type { FederatedResourceQuota } from '../api/quota.ts';
import {
  type Component,
  type ResourceBinding,
  type TargetCluster,
  dependentObjectReferences,
} from '../api/work.ts';
import type { FeatureGates } from '../configuration/configuration.ts';
import {
  type Admission,
  type AdmissionRequest,
  type Refusal,
  admitUnless,
  allowed,
  webhookFailure,
  nilPointerFailure,
  ruleRefusal,
  unreadable,
} from './admission.ts';
import { addResourceList, totalQuantities } from './resourceTotal.ts';

interface BindingAdmission {
  admission: Admission;
  featureGates: Pick<FeatureGates, 'MultiplePodTemplatesScheduling' | 'FederatedQuotaEnforcement'>;
  /** the FederatedResourceQuotas of the binding's namespace, as the API serves them */
  federatedResourceQuotas: readonly unknown[];
}

/** The validating webhook of ResourceBinding. ClusterResourceBinding has none; neither has any binding before v1.14. */
export function validateResourceBinding(
  request: AdmissionRequest,
  { admission, featureGates, federatedResourceQuotas }: BindingAdmission,
): typeof allowed | Refusal {
  const { rules, types } = admission;
  const looksAtAll = rules.bindingWebhook === 'quotaAndComponents';
  if (!looksAtAll && !(rules.bindingWebhook === 'quota' && featureGates.FederatedQuotaEnforcement))
    return allowed;
  const decoded = decodeObject('ResourceBinding', request.object, types);
  if ('error' in decoded) return unreadable(decoded.error);
  const binding = decoded.value;
  let old: ResourceBinding | undefined;
  if (request.operation === 'UPDATE') {
    const decodedOld = decodeObject('ResourceBinding', request.oldObject, types);
    if ('error' in decodedOld) return unreadable(decodedOld.error);
    old = decodedOld.value;
  }
  if (rules.dependenciesAnnotation) {
    const errors = dependenciesErrors(binding.metadata?.annotations, 'metadata.annotations');
    if (errors.length > 0) return admitUnless(errors);
  }
  if (featureGates.FederatedQuotaEnforcement) {
    const refusal = refuseOverQuota(binding, old, federatedResourceQuotas, admission);
    if (refusal) return refusal;
  }
  if (!looksAtAll || !featureGates.MultiplePodTemplatesScheduling) return allowed;
  return admitUnless(componentErrors(binding.spec?.components, 'spec.components'));
}

/** The annotation that lists dependencies must be JSON. */
function dependenciesErrors(annotations: Record<string, string> | undefined, field: string): FieldError[] {
  const dependencies = annotations?.[DEPENDENCIES_ANNOTATION];
  if (dependencies === undefined || isListOfDependencies(dependencies)) return [];
  return [
    invalid(`${field}.${DEPENDENCIES_ANNOTATION}`, dependencies, 'annotation value must be a valid JSON'),
  ];
}

function isListOfDependencies(json: string): boolean {
  const parsed = unmarshal(json);
  if ('error' in parsed) return false;
  return !('error' in decode(dependentObjectReferences, parsed.value, { anyCase: true }));
}

/** The components of a workload need unique names. */
function componentErrors(components: Component[] | undefined, field: string): FieldError[] {
  const names = new Set<string>();
  return (components ?? []).flatMap(({ name = '' }, index) => {
    const nameField = `${field}[${index}].name`;
    if (name === '') return [invalid(nameField, name, 'component names must be non-empty')];
    if (names.has(name)) return [invalid(nameField, name, 'component names must be unique')];
    names.add(name);
    return [];
  });
}

type Usage = Map<string, Quantity>;

const nothing = parseQuantity('0');

/**
 * Refuses a binding whose clusters would exceed a FederatedResourceQuota of its namespace (gate
 * FederatedQuotaEnforcement). Checks only changed usage, and only resources that the quota limits. If several resources
 * exceed it, Karmada names any of them; this names the first.
 */
export function refuseOverQuota(
  binding: ResourceBinding,
  old: ResourceBinding | undefined,
  quotas: readonly unknown[],
  { rules, types }: Admission,
): Refusal | undefined {
  if (!old && !binding.spec?.clusters?.length) return undefined;
  if (old) {
    const relevance = quotaRelevance(old, binding, rules);
    if (relevance === 'breaks') return nilPointerFailure;
    if (relevance === 'none') return undefined;
  }
  const known = rules.bindingWebhook === 'quota' ? [binding, ...(old ? [old] : [])] : [];
  for (const one of known) {
    const problem = uncountable(one);
    if (problem !== undefined) return webhookFailure(problem);
  }
  const change = difference(usage(binding), old ? usage(old) : new Map<string, Quantity>());
  for (const quota of quotas) {
    const decoded = decodeObject('FederatedResourceQuota', quota, types);
    if ('error' in decoded) continue;
    const limits = decoded.value;
    const message = overQuota(limits, change);
    if (message === undefined) continue;
    if (rules.bindingWebhook === 'quota') return ruleRefusal(overQuotaInShort(limits, binding));
    return rules.quotaExceededReason
      ? { ...ruleRefusal(message), reason: 'QuotaExceeded' }
      : ruleRefusal(message);
  }
  return undefined;
}

function overQuota(quota: FederatedResourceQuota, change: Usage): string | undefined {
  const limits = quota.spec?.overall ?? {};
  const limited = [...change].filter(([name]) => Object.hasOwn(limits, name));
  if (limited.length === 0) return undefined;
  const used = addResourceList(new Map(), quota.status?.overallUsed);
  const added = Object.fromEntries(limited.map(([name, quantity]) => [name, formatQuantity(quantity)]));
  for (const [name, requested] of totalQuantities(addResourceList(used, added))) {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(requested, parseQuantity(limit)) <= 0) continue;
    const { namespace = '', name: quotaName = '' } = quota.metadata ?? {};
    return (
      `FederatedResourceQuota(${namespace}/${quotaName}) exceeded for resource ${name}: ` +
      `requested sum ${formatQuantity(requested)}, limit ${formatQuantity(parseQuantity(limit))}.`
    );
  }
  return undefined;
}

/** v1.14's message for a binding over its quota, which does not name the resource. */
function overQuotaInShort(
  { metadata: quota }: FederatedResourceQuota,
  { metadata }: ResourceBinding,
): string {
  const named = (one: Partial<ObjectMeta> | undefined) => `${one?.namespace ?? ''}/${one?.name ?? ''}`;
  return `Quota exceeded for FederatedResourceQuota ${named(quota)}. ResourceBinding ${named(metadata)} will be denied.`;
}

/** Why v1.14 cannot compute a binding's usage: negative numbers, which later versions accept. */
function uncountable({ metadata, spec }: ResourceBinding): string | undefined {
  const requests = Object.entries(spec?.replicaRequirements?.resourceRequest ?? {});
  const replicas = replicasOn(spec?.clusters ?? []);
  if (requests.length === 0 || replicas === 0) return undefined;
  const name = `RB ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  if (replicas < 0) return `total replicas in clusters cannot be negative for ${name}: ${replicas}`;
  const negative = requests.find(([, written]) => parseQuantity(written).unscaled < 0n);
  return (
    negative &&
    `resource request for ${negative[0]} in ${name} has a negative value: ${formatQuantity(parseQuantity(negative[1]))}`
  );
}

function replicasOn(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, cluster) => (sum + (cluster.replicas ?? 0)) | 0, 0);
}

/** The total usage of bindings, in the form of a quota's status. */
export function quotaUsage(bindings: Iterable<ResourceBinding>): ResourceList {
  const total: Usage = new Map();
  for (const binding of bindings)
    for (const [name, quantity] of usage(binding)) {
      const before = total.get(name);
      total.set(name, before ? addQuantities(before, quantity) : quantity);
    }
  return Object.fromEntries([...total].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

/** A binding's usage on all its clusters: its replicas there, or one set of its components on each. */
function usage({ spec }: ResourceBinding): Usage {
  const clusters = spec?.clusters ?? [];
  if (spec?.components?.length) return times(componentsUsage(spec.components), clusters.length);
  return times(quantities(spec?.replicaRequirements?.resourceRequest), replicasOn(clusters));
}

function componentsUsage(components: Component[]): Usage {
  const total: Usage = new Map();
  for (const { replicas = 0, replicaRequirements } of components)
    for (const [name, quantity] of times(quantities(replicaRequirements?.resourceRequest), replicas)) {
      const before = total.get(name);
      total.set(name, before ? addQuantities(before, quantity) : quantity);
    }
  return total;
}

function quantities(list: ResourceList | undefined): Usage {
  return new Map(Object.entries(list ?? {}).map(([name, written]) => [name, parseQuantity(written)]));
}

/** Quantity.Mul for each amount; omits zeros. */
function times(amounts: Usage, factor: number): Usage {
  if (factor === 0) return new Map();
  const positive = [...amounts].filter(([, { unscaled }]) => unscaled !== 0n);
  return new Map(
    positive.map(([name, { unscaled, exponent, precision, format }]): [string, Quantity] => {
      const product = unscaled * BigInt(factor);
      const fits =
        precision === 'int64' &&
        fitsInt64(product) &&
        (exponent <= 0 || fitsInt64(product * 10n ** BigInt(exponent)));
      return [name, { unscaled: product, exponent, precision: fits ? 'int64' : 'arbitrary', format }];
    }),
  );
}

function difference(after: Usage, before: Usage): Usage {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return new Map(
    names
      .map((name): [string, Quantity] => [
        name,
        subtractQuantities(after.get(name) ?? nothing, before.get(name) ?? nothing),
      ])
      .filter(([, { unscaled }]) => unscaled !== 0n),
  );
}

/**
 * Whether the request per replica, the replicas, the components or their clusters have changed. Before v1.15.3 a move
 * of components was ignored, and components without requirements crashed the webhook.
 */
function quotaRelevance(
  { spec: before }: ResourceBinding,
  { spec: after }: ResourceBinding,
  { quotaOfMovedComponents }: Admission['rules'],
): 'changed' | 'none' | 'breaks' {
  const [oldClusters, newClusters] = [before?.clusters ?? [], after?.clusters ?? []];
  const [oldComponents, newComponents] = [before?.components ?? [], after?.components ?? []];
  const otherClusters =
    oldClusters.length !== newClusters.length ||
    newClusters.some(({ name }) => !oldClusters.some((old) => old.name === name));
  const hasComponents = oldComponents.length > 0 || newComponents.length > 0;
  if (
    !sameAmounts(before?.replicaRequirements?.resourceRequest, after?.replicaRequirements?.resourceRequest) ||
    replicasOn(oldClusters) !== replicasOn(newClusters) ||
    (quotaOfMovedComponents && hasComponents && otherClusters) ||
    oldComponents.length !== newComponents.length
  )
    return 'changed';
  for (const [index, old] of oldComponents.entries()) {
    const relevance = componentRelevance(old, newComponents[index]!, quotaOfMovedComponents);
    if (relevance !== 'none') return relevance;
  }
  return 'none';
}

function componentRelevance(
  before: Component,
  after: Component,
  mayLackRequirements: boolean,
): 'changed' | 'none' | 'breaks' {
  if ((before.replicas ?? 0) !== (after.replicas ?? 0)) return 'changed';
  const lacking = [before, after].filter(({ replicaRequirements }) => !replicaRequirements).length;
  if (lacking > 0 && !mayLackRequirements) return 'breaks';
  if (lacking === 1) return 'changed';
  return sameAmounts(before.replicaRequirements?.resourceRequest, after.replicaRequirements?.resourceRequest)
    ? 'none'
    : 'changed';
}

function sameAmounts(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) && compareQuantities(parseQuantity(a[name]!), parseQuantity(b[name]!)) === 0,
    )
  );
}
