import { REPLICA_PATHS } from '../../analysis/findings/state/overridePolicies.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { decidingFlags } from '../../karmada/dialects/componentFlags.ts';
import { CHECKED_FLAGS, typeOfOtherFlag } from '../../karmada/dialects/otherFlags.ts';
import { isList, isObject, definedFields } from '../../kubernetes/json.ts';

type Fields = Record<string, unknown>;

/** The fields of a spec with the desired counts. */
const COUNTS = ['replicas', 'parallelism', 'completions'] as const;
/** The fields of a pod that determine where it may run and what it needs. */
const OF_PODS = ['nodeSelector', 'tolerations', 'affinity', 'overhead', 'priorityClassName'];

/**
 * A resource template with only the parts of its spec that the interpreter reads: replicas, and the requirements of
 * each.
 */
export function slimTemplate(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, spec } = object as KubernetesObject & { spec?: Fields | null };
  const slim = { apiVersion, kind, metadata };
  if (typeof spec !== 'object' || spec === null) return slim;
  const { template } = spec as { template?: { spec?: Fields | null } | null };
  const ofTemplate = template?.spec ? { template: { spec: slimPod(template.spec) } } : {};
  return { ...slim, spec: { ...picked(spec, COUNTS), ...slimPod(spec), ...ofTemplate } } as KubernetesObject;
}

function slimPod(spec: Fields): Fields {
  const containers = ['containers', 'initContainers'].flatMap((field) => {
    const list = spec[field];
    if (!Array.isArray(list)) return [];
    return [[field, list.map((container: Fields | null) => picked(container ?? {}, ['name', 'resources']))]];
  });
  return { ...picked(spec, OF_PODS), ...Object.fromEntries(containers) } as Fields;
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

/** Text flags whose values affect answers; for others only the name is checked, and values may contain secrets. */
const SHOWN_FLAGS: ReadonlySet<string> = new Set([
  ...['feature-gates', ...CHECKED_FLAGS],
  ...Object.values(decidingFlags).flatMap((flags) => Object.keys(flags)),
]);

/** The value of a flag, unless it may hold a secret. */
export function shownValue(flag: string, value: string): string {
  return SHOWN_FLAGS.has(flag) || typeOfOtherFlag(flag) ? value : '***';
}

/** Words of a command line that start a program. */
const STARTING = /^(?:-\w+|exec|(?:\S*\/)?(?:ba|da)?sh|\S*karmada-[\w-]+)$/;

/** The words of a command line, with values only of flags that affect answers. */
function slimWords(words: readonly unknown[]): string[] {
  let flag: string | undefined;
  const slim = (word: string) => {
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const of = flag;
    flag = value === undefined ? name : undefined;
    if (name !== undefined) return value === undefined ? word : `--${name}=${shownValue(name, value)}`;
    if (of !== undefined) return shownValue(of, word);
    return STARTING.test(word) ? word : '***';
  };
  return words.map((word) => (typeof word === 'string' ? word.replace(/\S+/g, slim) : ''));
}

/** The object that runs a component of Karmada in the host cluster: its command lines and replicas. */
export function slimComponent(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, spec, status } = object as KubernetesObject & Record<string, unknown>;
  const { template, containers, replicas } = (isObject(spec) ? spec : {}) as Fields & {
    template?: { spec?: Fields };
  };
  const slim = ({ name, image, command, args }: Fields) =>
    definedFields({
      name,
      // its name shows the component; its origin is irrelevant
      image: typeof image === 'string' ? image.slice(image.lastIndexOf('/') + 1) : undefined,
      command: isList(command) ? slimWords(command) : undefined,
      args: isList(args) ? slimWords(args) : undefined,
    });
  const slimList = (list: unknown) => (isList(list) ? list.filter(isObject).map(slim) : undefined);
  const inTemplate = slimList(template?.spec?.['containers']);
  return {
    ...{ apiVersion, kind, metadata },
    spec: definedFields({
      replicas,
      containers: slimList(containers),
      template: inTemplate && { spec: { containers: inTemplate } },
    }),
    ...(isObject(status) && { status: picked(status, ['replicas', 'readyReplicas', 'conditions']) }),
  } as KubernetesObject;
}

/**
 * A Work whose manifests keep only their identity and their replicas. The rest makes up most of a Work, affects no
 * decision, and may be a Secret.
 */
export function slimWork(work: KubernetesObject): KubernetesObject {
  const { spec } = work as { spec?: { workload?: { manifests?: unknown } } };
  const manifests = spec?.workload?.manifests;
  if (!Array.isArray(manifests)) return work;
  const slim = manifests.map((manifest: Fields | null) => {
    const { apiVersion, kind } = manifest ?? {};
    const { name, namespace, labels } = (manifest?.metadata ?? {}) as Fields;
    const spec = (manifest?.spec ?? {}) as Fields;
    const counts = definedFields(Object.fromEntries(COUNTS.map((name) => [name, spec[name]])));
    return {
      ...definedFields({ apiVersion, kind }),
      metadata: definedFields({ name, namespace, labels }),
      ...(Object.keys(counts).length > 0 ? { spec: counts } : {}),
    };
  });
  return { ...work, spec: { ...spec, workload: { ...spec?.workload, manifests: slim } } } as KubernetesObject;
}

/** An override with the selectors and paths of its rules; of the written values, which may be secret, only replicas. */
export function slimOverride(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, spec } = object as KubernetesObject & { spec?: unknown };
  if (!isObject(spec)) return { apiVersion, kind, metadata };
  const objects = (list: unknown) => (isList(list) ? list.filter(isObject) : undefined);
  const slim = (overriders: unknown) =>
    isObject(overriders)
      ? definedFields({
          plaintext: objects(overriders['plaintext'])?.map(({ path, operator, value }) =>
            definedFields({ path, operator, value: REPLICA_PATHS.has(String(path)) ? value : undefined }),
          ),
          imageOverrider: objects(overriders['imageOverrider'])?.map((one) =>
            picked(one, ['predicate', 'component', 'operator']),
          ),
        })
      : undefined;
  const rules = objects(spec['overrideRules'])?.map(({ targetCluster, overriders }) =>
    definedFields({ targetCluster, overriders: slim(overriders) }),
  );
  return {
    ...{ apiVersion, kind, metadata },
    spec: definedFields({
      ...picked(spec, ['resourceSelectors', 'targetCluster']),
      overriders: slim(spec['overriders']),
      overrideRules: rules,
    }),
  } as KubernetesObject;
}
