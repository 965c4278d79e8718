import type { DetectedVersion } from '../../source.ts';
import { ApiError } from '../apiError.ts';
import type { ApiServer } from '../apiServer.ts';
import { linkedSignal } from '../requests/linkedSignal.ts';
import { servesKind } from './servesKind.ts';
import { realTiming, type Timing } from '../mirrors/timing.ts';

/** The part of an OpenAPI v3 schema that is read. */
export interface OpenApiSchema {
  properties?: Record<string, OpenApiSchema>;
  items?: OpenApiSchema;
  enum?: unknown[];
}

type Schemas = Record<string, OpenApiSchema>;

const GROUP = 'policy.karmada.io/v1alpha1';
const OPENAPI = `/openapi/v3/apis/${GROUP}`;

/** How long an answer waits for the version, and the pause while a server is starting (milliseconds). */
const LONGEST_WAIT = 5_000;
const STARTING = 500;

/**
 * Karmada's version, by the fields of its policies: each minor version from v1.11 on, except v1.16, changed them.
 * Undefined if the server does not report them in time. Right after its start, a server does not show the fields of all
 * served kinds, and would look like an earlier version.
 */
export async function servedVersion(
  server: ApiServer,
  signal: AbortSignal,
  timing: Timing = realTiming,
): Promise<DetectedVersion | undefined> {
  const soon = linkedSignal(signal);
  const timer = setTimeout(() => soon.abort(), LONGEST_WAIT);
  const last = timing.now() + LONGEST_WAIT - STARTING;
  try {
    for (;;) {
      const { components } = await server.get<{ components?: { schemas?: Schemas } }>(OPENAPI, {
        signal: soon.signal,
      });
      const schemas = components?.schemas ?? {};
      if (!(await isStarting(server, schemas))) return versionOf(schemas);
      if (timing.now() > last) return undefined;
      await timing.sleep(STARTING, soon.signal);
    }
  } catch (error) {
    // without it, answers are only less certain
    if (error instanceof ApiError || soon.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    soon.release();
  }
}

/** Whether a kind that distinguishes versions is served without its schema. */
async function isStarting(server: ApiServer, schemas: Schemas): Promise<boolean> {
  for (const kind of ['PropagationPolicy', 'ClusterTaintPolicy'])
    if (!schemaOf(schemas, kind) && (await servesKind(server, GROUP, kind))) return true;
  return false;
}

/** The schema of a kind in a group, by names that end in ".KIND"; undefined if it is not shown. */
export function schemaOf(schemas: Schemas, kind: string): OpenApiSchema | undefined {
  return Object.entries(schemas).find(([name]) => name.endsWith(`.${kind}`))?.[1];
}

/** @param schemas of the group policy.karmada.io, by names that end in ".KIND" */
export function versionOf(schemas: Schemas): DetectedVersion | undefined {
  const policy = schemaOf(schemas, 'PropagationPolicy');
  if (!policy) return undefined;
  const has = (...path: string[]) => field(policy, ['spec', ...path]) !== undefined;
  const inferred = (version: string, what: string): DetectedVersion => ({
    version,
    source: `the API has ${what}`,
  });
  const taintPolicy = schemaOf(schemas, 'ClusterTaintPolicy');
  if (!taintPolicy) {
    if (has('schedulePriority'))
      return inferred('v1.13', 'schedulePriority and no ClusterTaintPolicy, as in v1.13');
    if (has('preserveResourcesOnDeletion'))
      return inferred('v1.12', 'preserveResourcesOnDeletion and no schedulePriority, as in v1.12');
    if (has('suspension'))
      return inferred('v1.11', 'suspension and no preserveResourcesOnDeletion, as in v1.11');
    return inferred('v1.10', 'no suspension, as up to v1.10');
  }
  if (!has('failover', 'cluster'))
    return inferred('v1.14', 'ClusterTaintPolicy and no spec.failover.cluster, as in v1.14');
  if (!has('placement', 'workloadAffinity'))
    return inferred('v1.16', 'spec.failover.cluster and no workloadAffinity, as in v1.15 and v1.16');
  if (!has('placement', 'clusterAffinities', 'overflowAffinities'))
    return inferred('v1.17', 'workloadAffinity and no overflowAffinities, as in v1.17');
  if (field(taintPolicy, ['spec', 'taintsToAdd']))
    return inferred('proposal', 'taintsToAdd of ClusterTaintPolicies, as in the design');
  const purgeModes = field(policy, ['spec', 'failover', 'application', 'purgeMode'])?.enum;
  if (Array.isArray(purgeModes) && !purgeModes.includes('Immediately'))
    return inferred('v1.19', 'no purge mode Immediately, as from v1.19 on');
  return inferred('v1.18', 'overflowAffinities, as in v1.18');
}

/** The schema of a field; for a list, of its items. */
export function field(schema: OpenApiSchema, path: string[]): OpenApiSchema | undefined {
  return path.reduce<OpenApiSchema | undefined>(
    (inner, name) => (inner?.items ?? inner)?.properties?.[name],
    schema,
  );
}
