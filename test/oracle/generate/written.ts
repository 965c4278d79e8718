import { REQUIRED } from '../required.ts';

/**
 * An input as stored. Only webhooks see what users wrote: Karmada's components omit empty lists, and the webhook sets a minimum of groups
 * in every spread constraint.
 */
export function asWritten(suite: string, input: unknown): unknown {
  if (suite.startsWith('webhook-')) return input;
  const { steps, ...rest } = stored(input) as { steps?: { delete?: boolean }[] };
  if (!steps) return rest;
  // nothing follows a deletion
  const last = steps.findIndex((step) => step.delete);
  return { ...rest, steps: last < 0 ? steps : steps.slice(0, last + 1) };
}

function stored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stored);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(
    ([name, item]) => !Array.isArray(item) || item.length > 0 || REQUIRED.has(name),
  );
  if ('spreadByField' in value && !(value as { minGroups?: number }).minGroups) kept.push(['minGroups', 1]);
  return Object.fromEntries(kept.map(([name, item]) => [name, stored(item)]));
}
