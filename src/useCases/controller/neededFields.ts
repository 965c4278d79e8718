import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { TaintEffect } from '../../kubernetes/schema/core.ts';
import type { Pause } from '../../operations/pause.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { field, schemaOf, type OpenApiSchema } from '../../state/live/served/servedVersion.ts';
import { servesKind } from '../../state/live/served/servesKind.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { apiPath, CLUSTERS, objectsOf } from '../../state/live/resources.ts';
import { jobFacts, type Job } from '../../karmada/controllers/registry.ts';
import type { LiveFacts } from '../../karmada/controllers/karmada.ts';
import type { RunRefusal } from './refusal.ts';

/** A field that controllers read or write, and without which they would not work as documented. */
interface NeededField {
  for: LiveFacts['fields'][number];
  group: 'policy.karmada.io/v1alpha1' | 'work.karmada.io/v1alpha2';
  kinds: readonly string[];
  path: readonly string[];
  /** required values, if it is an enumeration */
  values?: readonly string[];
}

const WORK = {
  group: 'work.karmada.io/v1alpha2',
  kinds: ['ResourceBinding', 'ClusterResourceBinding'],
} as const;
const TASKS = { ...WORK, for: 'evictionTasks' } as const;
const POLICY = {
  for: 'taintPolicies',
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['ClusterTaintPolicy'],
} as const;
const HEALTH = { ...WORK, for: 'applicationFailover' } as const;

/** The API fields that the rules of a version need. */
function neededFields({ rules, featureGates }: Configuration): NeededField[] {
  const task = ['spec', 'gracefulEvictionTasks'];
  return [
    { ...TASKS, path: [...task, 'fromCluster'] },
    ...(rules.taints.evictionPurgeMode === 'gateOrNoTask'
      ? []
      : [{ ...TASKS, path: [...task, 'purgeMode'] }]),
    ...(featureGates.StatefulFailoverInjection ? [{ ...TASKS, path: [...task, 'preservedLabelState'] }] : []),
    ...(rules.api.taintPolicyForm === 'windows'
      ? [
          { ...POLICY, path: ['spec', 'matchConditions'] },
          { ...POLICY, path: ['spec', 'taintsToAdd', 'addOnMatchSeconds'] },
          { ...POLICY, path: ['spec', 'taintsToAdd', 'removeOnMismatchSeconds'] },
        ]
      : [{ ...POLICY, path: ['spec', 'addOnConditions'] }]),
    ...(rules.api.clusterFailoverToleration
      ? [
          {
            ...WORK,
            for: 'clusterFailover' as const,
            path: ['spec', 'failover', 'cluster', 'tolerationSeconds'],
          },
        ]
      : []),
    ...(rules.api.applicationPreConditions
      ? [{ ...HEALTH, path: ['spec', 'failover', 'application', 'preConditions'] }]
      : []),
    ...(rules.api.evictionHistory ? [{ ...HEALTH, path: ['spec', 'activeEvictionHistory'] }] : []),
  ];
}

/** The chosen controllers that need a field. */
function needing(field: NeededField, chosen: readonly Job[]): Job[] {
  return chosen.filter((job) => jobFacts(job).fields.includes(field.for));
}

/**
 * An API server that has just started serves kinds before it shows their schemas. How often to ask it, and the pause
 * in milliseconds.
 */
const ASKED = { times: 20, pause: 1000 };

type NotKept = Extract<RunRefusal, { code: 'not-kept' | 'unknown-fields' }>;

/**
 * The fields and values that the API would drop, because its schemas lack them. Missing schemas alone are a reason not
 * to run. Retries for a while if the API does not respond, or serves a kind without its schema.
 */
export async function notKept(
  server: ApiServer,
  chosen: readonly Job[],
  configuration: Configuration,
  { pause, signal }: { pause: Pause; signal?: AbortSignal | undefined },
): Promise<NotKept[]> {
  const needed = neededFields(configuration).filter((one) => needing(one, chosen).length > 0);
  let shown = await shownSchemas(server, needed);
  for (let times = 1; shown.mayChange && times < ASKED.times && !signal?.aborted; times++) {
    await pause(ASKED.pause, signal);
    shown = await shownSchemas(server, needed);
  }
  const { schemas, why } = shown;
  if (!schemas) return [{ code: 'unknown-fields', controllers: chosen, why }];
  return needed.flatMap((one) =>
    one.kinds.flatMap((kind) => {
      const controllers = needing(one, chosen);
      const schema = schemaOf(schemas.get(one.group)!, kind);
      const kept = schema && field(schema, [...one.path]);
      const lack = { code: 'not-kept' as const, kind, field: one.path.join('.'), controllers };
      if (!kept) return [lack];
      const missing = kept.enum && one.values?.find((value) => !kept.enum!.includes(value));
      return missing === undefined ? [] : [{ ...lack, value: missing }];
    }),
  );
}

type Schemas = Record<string, OpenApiSchema>;

/** The schemas that the server shows of the groups; `mayChange` if it may show more after a while. */
type Shown = { mayChange: boolean } & (
  { schemas: Map<string, Schemas>; why?: never } | { schemas?: never; why: string }
);

async function shownSchemas(server: ApiServer, needed: readonly NeededField[]): Promise<Shown> {
  try {
    const schemas = new Map<string, Schemas>();
    for (const group of new Set(needed.map((one) => one.group)))
      schemas.set(group, await schemasOf(server, group));
    return { schemas, mayChange: await isStarting(server, needed, schemas) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { why: error.message, mayChange: !FINAL.includes(error.status) };
  }
}

/** Statuses that retries do not change: a missing document, or no permission to read it. */
const FINAL = [401, 403, 404];

/** Whether the API server serves a kind without showing its schema. */
async function isStarting(
  server: ApiServer,
  needed: readonly NeededField[],
  schemas: ReadonlyMap<string, Schemas>,
): Promise<boolean> {
  for (const { group, kinds } of needed)
    for (const kind of kinds)
      if (!schemaOf(schemas.get(group)!, kind) && (await servesKind(server, group, kind))) return true;
  return false;
}

/** The schemas of a group, none if it is not served. Rejects with ApiError if the server does not show schemas. */
async function schemasOf(server: ApiServer, group: string): Promise<Schemas> {
  const path = `/openapi/v3/apis/${group}`;
  const document = await ifThere(server.get<{ components?: { schemas?: Schemas } }>(path));
  if (document) return document.components?.schemas ?? {};
  await server.get('/openapi/v3');
  return {};
}

/** Undefined for a 404. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The key of the taint that probes an effect; it is never stored. */
const PROBE = 'karmada-failover/probe';

type RefusedEffect = Extract<RunRefusal, { code: 'not-kept' | 'unknown-effect' }>;

/**
 * The taint effects that the API of Clusters refuses although the rules know them, found by a dry run, which is retried
 * for a while if it fails. Repeated failures are a reason not to run. Finds nothing without Clusters, or without the
 * permission to try.
 */
export async function refusedEffects(
  server: ApiServer,
  chosen: readonly Job[],
  { rules }: Configuration,
  { pause, signal }: { pause: Pause; signal?: AbortSignal | undefined },
): Promise<RefusedEffect[]> {
  const value = 'PreferNoExecute';
  const controllers = chosen.filter((job) => jobFacts(job).taintEffects);
  if (controllers.length === 0 || !rules.admission.clusterTaintEffects.includes(value)) return [];
  const tried = { kind: 'Cluster', value, controllers };
  for (let times = 1; ; times++) {
    const taken = await takesEffect(server, value);
    if (taken === true) return [];
    if (taken === false) return [{ code: 'not-kept', field: 'spec.taints.effect', ...tried }];
    if (times === ASKED.times || signal?.aborted)
      return [{ code: 'unknown-effect', ...tried, why: taken.message }];
    await pause(ASKED.pause, signal);
  }
}

/** Whether the API of Clusters accepts an effect (true if it may not try), or the error that prevented an answer. */
async function takesEffect(server: ApiServer, value: TaintEffect): Promise<boolean | ApiError> {
  const { items } = await server.list(apiPath(CLUSTERS));
  const [cluster] = objectsOf(CLUSTERS, items);
  if (!cluster) return true;
  const { name, uid, resourceVersion } = cluster.metadata;
  const taints = [...(cluster.spec?.taints ?? []), { key: PROBE, effect: value }];
  try {
    const patch = { metadata: { uid, resourceVersion }, spec: { taints } };
    const kept = await server.patch<Cluster>(apiPath(CLUSTERS, undefined, name), patch, { dryRun: true });
    return kept.spec?.taints?.some(({ key, effect }) => key === PROBE && effect === value) ?? false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 422 || error.status === 400) return false;
    return error.status === 403 || error;
  }
}
