import { lastingFailures } from '../../analysis/findings/state/failureEvents.ts';
import { eventStep, isEvent } from '../../analysis/history/karmadaEvents.ts';
import type { World } from '../../karmada/world.ts';
import { readsReplicas } from '../../karmada/propagation/interpretReplicas.ts';
import type { Event } from '../../karmada/api/event.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isOtherKind, type OtherObject } from '../../karmada/api/otherKinds.ts';
import { isHostComponent } from '../componentFlags.ts';
import { groupOf, worldKinds } from '../schema/kinds.ts';
import { slimComponent, slimOverride, slimTemplate, slimWork } from './slim.ts';

type Fields = Record<string, unknown>;

/** Further kinds that affect decisions; they are kept unchanged. */
const KEPT_WHOLE = new Set([
  'coordination.k8s.io/v1/Lease',
  'scheduling.k8s.io/v1/PriorityClass',
  'apps.karmada.io/v1alpha1/WorkloadRebalancer',
  'policy.karmada.io/v1alpha1/FederatedResourceQuota',
  'config.karmada.io/v1alpha1/ResourceInterpreterCustomization',
  'autoscaling.karmada.io/v1alpha1/FederatedHPA',
  'autoscaling.karmada.io/v1alpha1/CronFederatedHPA',
  'networking.karmada.io/v1alpha1/MultiClusterService',
]);
const API_SERVICE = 'apiregistration.k8s.io/v1/APIService';
const OVERRIDES = new Set(
  ['OverridePolicy', 'ClusterOverridePolicy'].map((kind) => `policy.karmada.io/v1alpha1/${kind}`),
);
const INTERPRETER_WEBHOOKS = 'config.karmada.io/v1alpha1/ResourceInterpreterWebhookConfiguration';

/**
 * The objects of a world for a snapshot: everything that answers need, with as few potential secrets as possible.
 * Secrets are left out, and Events except those of steps and lasting failures. Secrets in single fields are redacted
 * when the snapshot is written (kubernetes/redaction).
 */
export function* redactedObjects(world: World): Generator<KubernetesObject> {
  const { clusters, bindings, works, policies, taintPolicies, others } = world;
  const customizations = others.filter(({ kind }) => kind === 'ResourceInterpreterCustomization');
  const failures = new Set<KubernetesObject>(lastingFailures(others));
  const all = [...clusters, ...bindings, ...works, ...policies, ...taintPolicies, ...others];
  for (const object of all as KubernetesObject[]) {
    const redacted = redactedObject(object, customizations, failures);
    if (redacted) yield redacted;
  }
}

/**
 * One object for a snapshot; undefined if it is left out.
 *
 * @param customizations determine which templates have replicas
 * @param failures the Events that are kept although they report no step
 */
export function redactedObject(
  object: KubernetesObject,
  customizations: KubernetesObject[],
  failures: ReadonlySet<KubernetesObject> = new Set(),
): KubernetesObject | undefined {
  if (object.kind === 'Secret') return undefined;
  const isReported = isEvent(object) && (failures.has(object) || eventStep(object) !== undefined);
  return withoutForeignAnnotations(
    isReported ? withoutOthersWords(object) : redactedByKind(object, customizations),
  );
}

function redactedByKind(object: KubernetesObject, customizations: KubernetesObject[]): KubernetesObject {
  const known = worldKinds.get(object.kind);
  if (known?.group !== groupOf(object.apiVersion)) return redactedOther(object, customizations);
  if (known.list === 'clusters') return redactedCluster(object);
  return known.list === 'works' ? slimWork(object) : object;
}

/** All objects of a world except Secrets; objects that run Karmada's components are reduced. */
export function* wholeObjects(world: World): Generator<KubernetesObject> {
  const { clusters, bindings, works, policies, taintPolicies, others } = world;
  for (const cluster of clusters) yield redactedCluster(cluster as KubernetesObject);
  yield* [...bindings, ...works, ...policies, ...taintPolicies] as KubernetesObject[];
  for (const object of others)
    if (object.kind !== 'Secret') yield isHostComponent(object) ? slimComponent(object) : object;
}

function redactedOther(object: KubernetesObject, customizations: KubernetesObject[]): KubernetesObject {
  const { apiVersion, kind, metadata } = object;
  const key = `${apiVersion}/${kind}`;
  if (KEPT_WHOLE.has(key)) return object;
  if (key === INTERPRETER_WEBHOOKS) return withRulesOnly(object);
  if (isOtherKind(object, 'PrometheusRule')) return withQueriesOnly(object);
  if (isHostComponent(object)) return slimComponent(object);
  if (key === API_SERVICE && 'status' in object)
    return { apiVersion, kind, metadata, status: object.status } as KubernetesObject;
  if (OVERRIDES.has(key)) return slimOverride(object);
  return readsReplicas(object, customizations) ? slimTemplate(object) : { apiVersion, kind, metadata };
}

/** A Karmada Event with the fields that report its step or failure. */
function withoutOthersWords(event: Event): Event {
  const { apiVersion, kind, metadata, involvedObject, source, ...step } = event;
  const { type, reason, message, count, firstTimestamp, lastTimestamp } = step;
  const said = { involvedObject, type, reason, message, count, firstTimestamp, lastTimestamp };
  return {
    apiVersion,
    kind,
    metadata,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    source: { component: source?.component ?? '' },
  };
}

/** A Cluster without its proxy headers, which may hold a password. */
function redactedCluster(cluster: KubernetesObject): KubernetesObject {
  const { spec } = cluster as { spec?: Fields };
  if (!spec) return cluster;
  const { proxyHeader: _, ...rest } = spec;
  return { ...cluster, spec: rest } as KubernetesObject;
}

function withQueriesOnly({
  apiVersion,
  kind,
  metadata,
  spec,
}: OtherObject<'PrometheusRule'>): KubernetesObject {
  const groups = (spec?.groups ?? []).map(({ rules = [] }) => ({
    rules: rules.map(({ alert, record, expr }) => ({ alert, record, expr })),
  }));
  return { apiVersion, kind, metadata, spec: { groups } } as KubernetesObject;
}

function withRulesOnly(configuration: KubernetesObject): KubernetesObject {
  const { webhooks } = configuration as { webhooks?: (Fields | null)[] };
  if (!Array.isArray(webhooks)) return configuration;
  const slim = webhooks.map((webhook) => ({ name: webhook?.['name'], rules: webhook?.['rules'] }));
  return { ...configuration, webhooks: slim } as KubernetesObject;
}

/** Only Karmada's annotations and ours affect decisions; those of other tools may hold secrets. */
function withoutForeignAnnotations(object: KubernetesObject): KubernetesObject {
  const { annotations, ...metadata } = object.metadata;
  if (!annotations) return object;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([name]) => isOurs(name)));
  return {
    ...object,
    metadata: Object.keys(kept).length > 0 ? { ...metadata, annotations: kept } : metadata,
  };
}

function isOurs(name: string): boolean {
  const domain = name.slice(0, Math.max(0, name.indexOf('/')));
  return domain === 'karmada.io' || domain.endsWith('.karmada.io') || domain === 'karmada-failover';
}
