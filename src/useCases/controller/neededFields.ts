import type { Configuration } from '../../karmada/configuration.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { field, type OpenApiSchema } from '../../state/live/servedVersion.ts';
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
    {
      controllers: ['cluster-taint-policy'],
      group: 'policy.karmada.io/v1alpha1',
      kinds: ['ClusterTaintPolicy'],
      path: ['spec', 'addOnConditions'],
    },
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

function schemaOf(schemas: Schemas, kind: string): OpenApiSchema | undefined {
  return Object.entries(schemas).find(([name]) => name.endsWith(`.${kind}`))?.[1];
}
