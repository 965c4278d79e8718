import { eventStep, isEvent } from '../../analysis/history/karmadaEvents.ts';
import type { World } from '../../karmada/world.ts';
import { readsReplicas } from '../../karmada/propagation/interpretReplicas.ts';
import type { Event } from '../../karmada/api/event.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isComponent } from '../componentFlags.ts';
import { groupOf, worldKinds } from '../schema/kinds.ts';
import { slimTemplate, slimWork } from './slim.ts';

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
]);
const INTERPRETER_WEBHOOKS = 'config.karmada.io/v1alpha1/ResourceInterpreterWebhookConfiguration';

/**
 * The objects of a world for a snapshot: everything that answers need, with as little as possible that may hold
 * secrets. Secrets are left out, and so are Karmada's own components, which the header describes. Secrets in single
 * fields are redacted when the snapshot is written (kubernetes/redaction).
 */
export function* redactedObjects(world: World): Generator<KubernetesObject> {
  const { clusters, bindings, works, policies, taintPolicies, others } = world;
  const customizations = others.filter(({ kind }) => kind === 'ResourceInterpreterCustomization');
  const all = [...clusters, ...bindings, ...works, ...policies, ...taintPolicies, ...others];
  for (const object of all as KubernetesObject[]) {
    const redacted = redactedObject(object, customizations);
    if (redacted) yield redacted;
  }
}

/** One object for a snapshot; undefined if it is left out. `customizations` determine which templates have replicas. */
export function redactedObject(
  object: KubernetesObject,
  customizations: KubernetesObject[],
): KubernetesObject | undefined {
  if (object.kind === 'Secret' || isComponent(object)) return undefined;
  return withoutForeignAnnotations(redactedByKind(object, customizations));
}

function redactedByKind(object: KubernetesObject, customizations: KubernetesObject[]): KubernetesObject {
  const known = worldKinds.get(object.kind);
  if (known?.group !== groupOf(object.apiVersion)) return redactedOther(object, customizations);
  if (known.list === 'clusters') return redactedCluster(object);
  return known.list === 'works' ? slimWork(object) : object;
}

/** All objects of a world except Secrets and Karmada's own components. */
export function* wholeObjects(world: World): Generator<KubernetesObject> {
  const { clusters, bindings, works, policies, taintPolicies, others } = world;
  for (const cluster of clusters) yield redactedCluster(cluster as KubernetesObject);
  yield* [...bindings, ...works, ...policies, ...taintPolicies] as KubernetesObject[];
  for (const object of others) if (object.kind !== 'Secret' && !isComponent(object)) yield object;
}

function redactedOther(object: KubernetesObject, customizations: KubernetesObject[]): KubernetesObject {
  const { apiVersion, kind, metadata } = object;
  const key = `${apiVersion}/${kind}`;
  if (KEPT_WHOLE.has(key)) return object;
  if (key === INTERPRETER_WEBHOOKS) return withRulesOnly(object);
  if (isEvent(object) && eventStep(object)) return withoutOthersWords(object);
  return readsReplicas(object, customizations) ? slimTemplate(object) : { apiVersion, kind, metadata };
}

/** A Karmada Event with the fields that report its step. */
function withoutOthersWords(event: Event): Event {
  const { apiVersion, kind, metadata, involvedObject, source, ...step } = event;
  const { reason, message, count, firstTimestamp, lastTimestamp } = step;
  const said = { involvedObject, reason, message, count, firstTimestamp, lastTimestamp };
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
