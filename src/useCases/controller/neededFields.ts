import type { Configuration } from '../../karmada/configuration.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { field, type OpenApiSchema } from '../../state/live/servedVersion.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import type { OurController } from './ourControllers.ts';
import type { Refusal } from './refusal.ts';

/** A field that controllers read or write, without which they would do something else than they say. */
interface NeededField {
  controllers: readonly OurController[];
  group: 'policy.karmada.io/v1alpha1' | 'work.karmada.io/v1alpha2';
  kinds: readonly string[];
  path: readonly string[];
  /** values that it has to take, if it is an enumeration */
  values?: readonly string[];
}

const BINDINGS = ['ResourceBinding', 'ClusterResourceBinding'];
const WORK = { group: 'work.karmada.io/v1alpha2', kinds: BINDINGS } as const;
const POLICY = {
  controllers: ['cluster-taint-policy'],
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['ClusterTaintPolicy'],
} as const;
const TAINTS: readonly OurController[] = ['taint-manager'];
const HEALTH: readonly OurController[] = ['application-failover'];
const EVICTING: readonly OurController[] = ['taint-manager', 'graceful-eviction', 'application-failover'];

/** The fields that the rules of a version need of the API. */
function neededFields({ rules, featureGates }: Configuration): NeededField[] {
  const task = ['spec', 'gracefulEvictionTasks'];
  return [
    { ...WORK, controllers: EVICTING, path: [...task, 'fromCluster'] },
    ...(rules.taints.evictionPurgeMode === 'gateOrNoTask'
      ? []
      : [{ ...WORK, controllers: EVICTING, path: [...task, 'purgeMode'] }]),
    ...(featureGates.StatefulFailoverInjection
      ? [{ ...WORK, controllers: EVICTING, path: [...task, 'preservedLabelState'] }]
      : []),
    ...(rules.api.taintPolicyForm === 'windows'
      ? [
          { ...POLICY, path: ['spec', 'matchConditions'] },
          { ...POLICY, path: ['spec', 'taintsToAdd', 'addOnMatchSeconds'] },
          { ...POLICY, path: ['spec', 'taintsToAdd', 'removeOnMismatchSeconds'] },
        ]
      : [{ ...POLICY, path: ['spec', 'addOnConditions'] }]),
    ...(rules.api.clusterFailoverToleration
      ? [{ ...WORK, controllers: TAINTS, path: ['spec', 'failover', 'cluster', 'tolerationSeconds'] }]
      : []),
    ...(rules.api.applicationPreConditions
      ? [{ ...WORK, controllers: HEALTH, path: ['spec', 'failover', 'application', 'preConditions'] }]
      : []),
    ...(rules.api.evictionHistory
      ? [{ ...WORK, controllers: HEALTH, path: ['spec', 'activeEvictionHistory'] }]
      : []),
  ];
}

/**
 * The fields and values that the API would not keep: it drops what its schemas lack. Undefined if it does not show them.
 */
export async function notKept(
  server: ApiServer,
  chosen: readonly OurController[],
  configuration: Configuration,
): Promise<Extract<Refusal, { code: 'not-kept' }>[] | undefined> {
  const needed = neededFields(configuration).filter(({ controllers }) =>
    controllers.some((one) => chosen.includes(one)),
  );
  const groups = [...new Set(needed.map(({ group }) => group))];
  const schemas = new Map(
    await Promise.all(groups.map(async (group) => [group, await schemasOf(server, group)] as const)),
  );
  if ([...schemas.values()].includes(undefined)) return undefined;
  return needed.flatMap((one) =>
    one.kinds.flatMap((kind) => {
      const controllers = one.controllers.filter((name) => chosen.includes(name));
      const schema = schemaOf(schemas.get(one.group)!, kind);
      const found = schema && field(schema, [...one.path]);
      const lack = { code: 'not-kept' as const, kind, field: one.path.join('.'), controllers };
      if (!found) return [lack];
      const missing = found.enum && one.values?.find((value) => !found.enum!.includes(value));
      return missing === undefined ? [] : [{ ...lack, value: missing }];
    }),
  );
}

type Schemas = Record<string, OpenApiSchema>;

async function schemasOf(server: ApiServer, group: string): Promise<Schemas | undefined> {
  try {
    const document = await server.get<{ components?: { schemas?: Schemas } }>(`/openapi/v3/apis/${group}`);
    return document.components?.schemas ?? {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // a group that is not served has no fields; who may not ask does not know
    return error.status === 404 && (await servesOpenApi(server)) ? {} : undefined;
  }
}

async function servesOpenApi(server: ApiServer): Promise<boolean> {
  try {
    await server.get('/openapi/v3');
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The key of the taint with which an effect is tried; it is never stored. */
const PROBE = 'karmada-failover/probe';

/**
 * The effects of taints that the API of Clusters refuses, although the rules know them: found by a write that is not stored.
 * Without any Cluster, or without the right to ask, nothing is found.
 */
export async function refusedEffects(
  server: ApiServer,
  chosen: readonly OurController[],
  { rules }: Configuration,
): Promise<Extract<Refusal, { code: 'not-kept' }>[]> {
  const value = 'PreferNoExecute';
  const controllers = chosen.filter((one) => one === 'cluster-taint-policy' || one === 'taint-manager');
  if (controllers.length === 0 || !rules.admission.clusterTaintEffects.includes(value)) return [];
  const { items } = await server.list(apiPath(CLUSTERS));
  const cluster = items[0] as Cluster | undefined;
  if (!cluster) return [];
  const { name, uid, resourceVersion } = cluster.metadata;
  const taints = [...(cluster.spec?.taints ?? []), { key: PROBE, effect: value }];
  const lack = {
    code: 'not-kept' as const,
    kind: 'Cluster',
    field: 'spec.taints.effect',
    value,
    controllers,
  };
  try {
    const patch = { metadata: { uid, resourceVersion }, spec: { taints } };
    const kept = await server.patch<Cluster>(apiPath(CLUSTERS, undefined, name), patch, { dryRun: true });
    return kept.spec?.taints?.some(({ key, effect }) => key === PROBE && effect === value) ? [] : [lack];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 422 || error.status === 400 ? [lack] : [];
  }
}

function schemaOf(schemas: Schemas, kind: string): OpenApiSchema | undefined {
  return Object.entries(schemas).find(([name]) => name.endsWith(`.${kind}`))?.[1];
}
