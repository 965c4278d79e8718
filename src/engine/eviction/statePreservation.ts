import type { StatePreservation } from '../../karmada/api/policy.ts';
import type { AggregatedStatusItem } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { quote } from '../../kubernetes/goFormat.ts';
import { nilMap, unmarshal, wellFormed } from '../../kubernetes/goJson.ts';
import { parseJsonPath, renderJsonPath } from '../../kubernetes/jsonpath/jsonpath.ts';

/** Labels taken from a status, or the error that keeps the eviction from happening. */
export type PreservedLabelState = { labels: Record<string, string> } | { error: string };

/**
 * The labels that state preservation rules take from a collected status, given as parsed JSON. The first
 * rule that fails decides: no labels then, and the eviction is retried (Karmada v1.18,
 * BuildPreservedLabelState). Later rules overwrite earlier ones of the same name.
 */
export function preservedLabelState(
  statePreservation: StatePreservation,
  status: unknown,
  { eviction }: Rules,
): PreservedLabelState {
  const value = wellFormed(status);
  return applyRules(statePreservation, () => ({ value }), eviction.brokenStatus);
}

/** The same for a status as JSON text, broken text included. */
export function preservedLabelStateOfText(
  statePreservation: StatePreservation,
  rawStatus: string,
  { eviction }: Rules,
): PreservedLabelState {
  return applyRules(statePreservation, () => unmarshal(rawStatus), eviction.brokenStatus);
}

/**
 * The labels that an eviction from a cluster preserves: undefined where nothing is to be preserved, an error
 * where the cluster's status is missing or a rule fails on it. Both producers of evictions go by this.
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
  return preservedLabelState(statePreservation, item.status, rules);
}

function applyRules(
  { rules = [] }: StatePreservation,
  readStatus: () => { value: unknown } | { error: string },
  brokenStatus: Rules['eviction']['brokenStatus'],
): PreservedLabelState {
  const asItIs = brokenStatus === 'asItIs';
  const labels = new Map<string, string>();
  for (const { aliasLabelName, jsonPath } of rules) {
    const parsed = parseJsonPath(jsonPath);
    if ('error' in parsed) return parsed;
    const status = asItIs ? readStatus() : { value: objectOrEmpty(readStatus()) };
    if ('error' in status) return { error: `failed to unmarshal rawStatus: ${status.error}` };
    const rendered = renderJsonPath(parsed.template, status.value);
    if ('error' in rendered)
      return {
        error: asItIs ? `failed to execute jsonpath ${quote(jsonPath)}: ${rendered.error}` : rendered.error,
      };
    labels.set(aliasLabelName, rendered.text);
  }
  return { labels: Object.fromEntries(labels) };
}

/** What is no JSON object, or broken, counts as one without fields: Go decodes into a map. */
function objectOrEmpty(status: { value: unknown } | { error: string }): unknown {
  if ('error' in status || typeof status.value !== 'object' || Array.isArray(status.value)) return {};
  return status.value ?? nilMap;
}
