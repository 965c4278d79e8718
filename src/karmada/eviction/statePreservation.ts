import { goQuote } from '../../kubernetes/goFormat.ts';
import { nilMap, wellFormed } from '../../kubernetes/goJson.ts';
import { parseJsonPath, renderJsonPath } from '../../kubernetes/jsonpath/jsonpath.ts';
import type { StatePreservation } from '../api/policy.ts';
import type { AggregatedStatusItem } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';

/**
 * The labels that an eviction from a cluster preserves: undefined if there are none to preserve, an error if the
 * cluster's status is missing or a rule fails on it. The taint manager and application failover both use this.
 */
export function preservedLabelStateOnCluster(
  statePreservation: StatePreservation | undefined,
  aggregatedStatus: AggregatedStatusItem[] | undefined,
  cluster: string,
  rules: Rules,
): PreservedLabelState | undefined {
  if (!statePreservation?.rules?.length) return undefined;
  const item = aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  if (item?.status === undefined || item.status === null)
    return { error: `the application status has not yet been collected from Cluster(${cluster})` };
  return preservedLabelState(statePreservation, { value: wellFormed(item.status) }, rules);
}

/** Labels from a status, or the error that prevents the eviction. */
export type PreservedLabelState = { labels: Record<string, string> } | { error: string };

/** A status as Go decodes it from JSON, or Go's error. */
type DecodedStatus = { value: unknown } | { error: string };

/**
 * The labels that state preservation rules extract from a collected status. If any rule fails, there are no labels and
 * the eviction is retried (Karmada v1.18, BuildPreservedLabelState). A later rule with the same label overwrites an
 * earlier one.
 */
export function preservedLabelState(
  { rules = [] }: StatePreservation,
  decoded: DecodedStatus,
  { eviction }: Rules,
): PreservedLabelState {
  const asItIs = eviction.brokenStatus === 'asItIs';
  const status = asItIs ? decoded : { value: objectOrEmpty(decoded) };
  const labels = new Map<string, string>();
  for (const { aliasLabelName, jsonPath } of rules) {
    const parsed = parseJsonPath(jsonPath);
    if ('error' in parsed) return parsed;
    if ('error' in status) return { error: `failed to unmarshal rawStatus: ${status.error}` };
    const rendered = renderJsonPath(parsed.template, status.value);
    if ('error' in rendered)
      return {
        error: asItIs ? `failed to execute jsonpath ${goQuote(jsonPath)}: ${rendered.error}` : rendered.error,
      };
    labels.set(aliasLabelName, rendered.text);
  }
  return { labels: Object.fromEntries(labels) };
}

/** A malformed or non-object status has no fields: Go decodes into a map. */
function objectOrEmpty(status: DecodedStatus): unknown {
  if ('error' in status || typeof status.value !== 'object' || Array.isArray(status.value)) return {};
  return status.value ?? nilMap;
}
