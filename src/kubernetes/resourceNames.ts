/** A kind in kubectl's syntax: "deploy", "deployments.apps", "StatefulSet.v1.apps". */
interface TypedKind {
  /** in lower case */
  name: string;
  version?: string;
  group?: string;
}

const SHORT_NAMES: Record<string, string> = {
  cj: 'cronjob',
  cm: 'configmap',
  cpp: 'clusterpropagationpolicy',
  crb: 'clusterresourcebinding',
  deploy: 'deployment',
  ds: 'daemonset',
  hpa: 'horizontalpodautoscaler',
  ing: 'ingress',
  ns: 'namespace',
  pdb: 'poddisruptionbudget',
  po: 'pod',
  pp: 'propagationpolicy',
  pv: 'persistentvolume',
  pvc: 'persistentvolumeclaim',
  rb: 'resourcebinding',
  rs: 'replicaset',
  sa: 'serviceaccount',
  sts: 'statefulset',
  svc: 'service',
  wk: 'work',
};
const SHORT_OF = new Map(Object.entries(SHORT_NAMES).map(([short, name]) => [name, short]));
const VERSION = /^v\d+((alpha|beta)\d+)?$/;

/** Parses a kind as kubectl does: NAME, NAME.GROUP or NAME.VERSION.GROUP, with NAME singular, plural or short. */
export function parseKind(text: string): TypedKind {
  const [name = '', ...rest] = text.toLowerCase().split('.');
  const version = rest[0] !== undefined && VERSION.test(rest[0]) ? rest[0] : undefined;
  const group = (version === undefined ? rest : rest.slice(1)).join('.');
  return { name, ...(version !== undefined && { version }), ...(rest.length > 0 && { group }) };
}

/** The shortest name that kubectl accepts for a kind, in lower case: "deploy"; the full name if it has no short one. */
export function shortKind(kind: string): string {
  const name = kind.toLowerCase();
  return SHORT_OF.get(name) ?? name;
}

/** Whether a typed kind means this API version and kind; a prefix of the group is enough. */
export function matchesKind(typed: TypedKind, apiVersion: string, kind: string): boolean {
  const slash = apiVersion.indexOf('/');
  const singular = kind.toLowerCase();
  const name = SHORT_NAMES[typed.name] ?? typed.name;
  return (
    (name === singular || name === plural(singular)) &&
    (typed.group === undefined || apiVersion.slice(0, Math.max(slash, 0)).startsWith(typed.group)) &&
    (typed.version === undefined || typed.version === apiVersion.slice(slash + 1))
  );
}

function plural(singular: string): string {
  if (singular === 'endpoints') return singular;
  if (/(s|x|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
