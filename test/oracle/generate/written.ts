/**
 * An input as it is stored. Only webhooks see what users wrote: Karmada's components leave out lists without
 * elements, and no spread constraint comes past the webhook without a minimum of groups.
 */
export function asWritten(suite: string, input: unknown): unknown {
  return suite.startsWith('webhook-') ? input : stored(input);
}

function stored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stored);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, item]) => !Array.isArray(item) || item.length > 0);
  if ('spreadByField' in value && !(value as { minGroups?: number }).minGroups) kept.push(['minGroups', 1]);
  return Object.fromEntries(kept.map(([name, item]) => [name, stored(item)]));
}
