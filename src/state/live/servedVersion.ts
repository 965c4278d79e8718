import type { DetectedVersion } from '../source.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import { linkedSignal } from './linkedSignal.ts';

/** The part of an OpenAPI v3 schema that is read. */
export interface OpenApiSchema {
  properties?: Record<string, OpenApiSchema>;
  items?: OpenApiSchema;
  enum?: unknown[];
}

const OPENAPI = '/openapi/v3/apis/policy.karmada.io/v1alpha1';

/** How long an answer waits for the version at most (milliseconds). */
const LONGEST_WAIT = 5_000;

/**
 * Karmada's version, by the fields of its policies: each minor version from v1.11 on, except v1.16, changed them.
 * Undefined if the server does not tell them, or not soon enough.
 */
export async function servedVersion(
  server: ApiServer,
  signal: AbortSignal,
): Promise<DetectedVersion | undefined> {
  const soon = linkedSignal(signal);
  const timer = setTimeout(() => soon.abort(), LONGEST_WAIT);
  try {
    const { components } = await server.get<{ components?: { schemas?: Record<string, OpenApiSchema> } }>(
      OPENAPI,
      { signal: soon.signal },
    );
    return versionOf(components?.schemas ?? {});
  } catch (error) {
    // without it, answers are only less certain
    if (error instanceof ApiError || soon.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    soon.release();
  }
}

/** @param schemas of the group policy.karmada.io, by names that end in ".KIND" */
export function versionOf(schemas: Record<string, OpenApiSchema>): DetectedVersion | undefined {
  const schemaOf = (kind: string) => Object.entries(schemas).find(([name]) => name.endsWith(`.${kind}`))?.[1];
  const policy = schemaOf('PropagationPolicy');
  if (!policy) return undefined;
  const has = (...path: string[]) => field(policy, ['spec', ...path]) !== undefined;
  const told = (version: string, what: string): DetectedVersion => ({
    version,
    source: `the API has ${what}`,
  });
  if (!schemaOf('ClusterTaintPolicy')) {
    if (has('schedulePriority'))
      return told('v1.13', 'schedulePriority and no ClusterTaintPolicy, as in v1.13');
    if (has('preserveResourcesOnDeletion'))
      return told('v1.12', 'preserveResourcesOnDeletion and no schedulePriority, as in v1.12');
    if (has('suspension')) return told('v1.11', 'suspension and no preserveResourcesOnDeletion, as in v1.11');
    return told('v1.10', 'no suspension, as up to v1.10');
  }
  if (!has('failover', 'cluster'))
    return told('v1.14', 'ClusterTaintPolicy and no spec.failover.cluster, as in v1.14');
  if (!has('placement', 'workloadAffinity'))
    return told('v1.16', 'spec.failover.cluster and no workloadAffinity, as in v1.15 and v1.16');
  if (!has('placement', 'clusterAffinities', 'overflowAffinities'))
    return told('v1.17', 'workloadAffinity and no overflowAffinities, as in v1.17');
  const taintPolicy = schemaOf('ClusterTaintPolicy');
  if (taintPolicy && field(taintPolicy, ['spec', 'taintsToAdd']))
    return told('proposal', 'taintsToAdd of ClusterTaintPolicies, as in the design');
  const purgeModes = field(policy, ['spec', 'failover', 'application', 'purgeMode'])?.enum;
  if (Array.isArray(purgeModes) && !purgeModes.includes('Immediately'))
    return told('v1.19', 'no purge mode Immediately any more, as from v1.19 on');
  return told('v1.18', 'overflowAffinities, as in v1.18');
}

/** The schema of a field; lists are passed through to their items. */
export function field(schema: OpenApiSchema, path: string[]): OpenApiSchema | undefined {
  return path.reduce<OpenApiSchema | undefined>(
    (inner, name) => (inner?.items ?? inner)?.properties?.[name],
    schema,
  );
}
