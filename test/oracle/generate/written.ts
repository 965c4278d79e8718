/**
 * An input as it is written: Karmada's components leave out lists without elements, users may write them. Only
 * webhooks see what users wrote.
 */
export function asWritten(suite: string, input: unknown): unknown {
  return suite.startsWith('webhook-') ? input : withoutEmptyLists(input);
}

function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, item]) => !Array.isArray(item) || item.length > 0);
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutEmptyLists(item)]));
}
