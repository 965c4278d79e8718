import type { KubernetesObject } from '../api/meta.ts';

/**
 * The number that a customization's script GetReplicas returns for a template, if the script only returns a field,
 * directly or by a variable; else undefined: no Lua runs here.
 */
export function scriptedReplicas(luaScript: string, template: KubernetesObject): number | undefined {
  const script = luaScript.trimEnd();
  const [header, parameter] = /function\s+GetReplicas\s*\(\s*(\w+)\s*\)/.exec(script) ?? [];
  if (header === undefined || !script.endsWith('end')) return undefined;
  const body = script.slice(script.indexOf(header) + header.length, -'end'.length);
  if (/\b(if|for|while|repeat|function)\b/.test(body)) return undefined;
  const returned = /\breturn\s+([\w.]+)\s*(,|$|\n)/.exec(body)?.[1];
  if (returned === undefined) return undefined;
  const assigned = [...body.matchAll(/(?:^|\s)(\w+)\s*=\s*([\w.]+)\s*$/gm)].filter(
    ([, name]) => name === returned,
  );
  const [object, ...path] = (assigned.length === 1 ? assigned[0]![2]! : returned).split('.');
  if (object !== parameter || path.length === 0) return undefined;
  let value: unknown = template;
  for (const field of path) value = (value as Record<string, unknown> | null | undefined)?.[field];
  return Number.isInteger(value) ? (value as number) : undefined;
}
