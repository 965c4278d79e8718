import { formatQuantity } from '../../kubernetes/formatQuantity.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import {
  addQuantities,
  compareQuantities,
  fitsInt64,
  subtractQuantities,
  type Quantity,
} from '../../kubernetes/quantity.ts';
import type { ObjectMeta, ResourceList } from '../api/meta.ts';
import type { Component, ResourceBinding } from '../api/work.ts';
import { addResourceList, totalQuantities } from '../resourceTotal.ts';
import { decodeObject } from '../schema/kinds.ts';
import type { Refusal } from './admission.ts';

interface FederatedResourceQuota {
  metadata?: Partial<ObjectMeta>;
  spec?: { overall?: ResourceList };
  status?: { overallUsed?: ResourceList };
}

type Usage = Map<string, Quantity>;

const nothing = parseQuantity('0');

/**
 * Refuses a binding whose clusters would use more than a FederatedResourceQuota of its namespace leaves
 * (gate FederatedQuotaEnforcement). Only a change of what it uses is asked about, and only what a quota
 * limits. Where several resources are over, Karmada names any; here it is the first by name.
 */
export function refuseOverQuota(
  binding: ResourceBinding,
  old: ResourceBinding | undefined,
  quotas: readonly unknown[],
): Refusal | undefined {
  if (!old && !binding.spec?.clusters?.length) return undefined;
  if (old && !quotaRelevantChange(old, binding)) return undefined;
  const change = difference(usage(binding), old ? usage(old) : new Map<string, Quantity>());
  for (const quota of quotas) {
    const decoded = decodeObject('FederatedResourceQuota', quota);
    if ('error' in decoded) continue;
    const message = overQuota(decoded.value as FederatedResourceQuota, change);
    if (message !== undefined)
      return { allowed: false, code: 403, reason: 'QuotaExceeded', message, errors: [] };
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

/** What a binding uses on all its clusters: its replicas there, or its components once on each. */
export function usage({ spec }: ResourceBinding): Usage {
  const clusters = spec?.clusters ?? [];
  if (spec?.components?.length) return times(componentsUsage(spec.components), clusters.length);
  const replicas = clusters.reduce((sum, cluster) => (sum + (cluster.replicas ?? 0)) | 0, 0);
  return times(quantities(spec?.replicaRequirements?.resourceRequest), replicas);
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

/** Quantity.Mul for each; nothing of what is zero. */
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

/** Did the request per replica, the replicas, the components or their clusters change? */
function quotaRelevantChange({ spec: before }: ResourceBinding, { spec: after }: ResourceBinding): boolean {
  const [oldClusters, newClusters] = [before?.clusters ?? [], after?.clusters ?? []];
  const [oldComponents, newComponents] = [before?.components ?? [], after?.components ?? []];
  const replicas = (clusters: typeof oldClusters) =>
    clusters.reduce((sum, cluster) => (sum + (cluster.replicas ?? 0)) | 0, 0);
  const otherClusters =
    oldClusters.length !== newClusters.length ||
    newClusters.some(({ name }) => !oldClusters.some((old) => old.name === name));
  return (
    !sameAmounts(before?.replicaRequirements?.resourceRequest, after?.replicaRequirements?.resourceRequest) ||
    replicas(oldClusters) !== replicas(newClusters) ||
    ((oldComponents.length > 0 || newComponents.length > 0) && otherClusters) ||
    oldComponents.length !== newComponents.length ||
    oldComponents.some((old, index) => componentChanged(old, newComponents[index]!))
  );
}

function componentChanged(before: Component, after: Component): boolean {
  return (
    (before.replicas ?? 0) !== (after.replicas ?? 0) ||
    !before.replicaRequirements !== !after.replicaRequirements ||
    !sameAmounts(before.replicaRequirements?.resourceRequest, after.replicaRequirements?.resourceRequest)
  );
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
