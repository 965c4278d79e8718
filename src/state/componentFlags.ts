import { whyDown } from '../simulator/verdicts/stoppedComponents.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import { parseArguments } from '../karmada/configuration/commandLine.ts';
import type { CommandLine } from '../karmada/configuration/commandLine.ts';
import { binaries, components, operatorFields } from '../karmada/dialects/flags.ts';
import type { Component } from '../karmada/dialects/flags.ts';
import { nameOf } from './world/validateObject.ts';
import { isList } from '../kubernetes/json.ts';

/** The facts in a state about Karmada's own components; resolveConfiguration reads them. */
export interface ObservedComponents {
  /** one per component; controllers of Pods come before Pods */
  commandLines: CommandLine[];
  /** from the tags of their images */
  versions: ComponentVersion[];
  /** one line each: components that run elsewhere with different flags, and those that do not run */
  warnings: string[];
}

export interface ComponentVersion {
  component: Component;
  /** "v1.18.2" */
  version: string;
  source: string;
}

interface Container {
  image?: unknown;
  command?: unknown;
  args?: unknown;
  env?: unknown;
  envFrom?: unknown;
}

/** Components that do not affect answers, or that have their own checks. */
const HELPERS: readonly Component[] = ['descheduler', 'estimator'];

type FindConfigMap = (namespace: string | undefined, name: string) => KubernetesObject | undefined;

/** Kinds that run containers, the most informative one first. */
const RUNNING: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Pod', 'ReplicaSet'];

/** Whether an object runs a component of Karmada. */
export function isComponent(object: KubernetesObject): boolean {
  if (isOperatorsKarmada(object)) return true;
  return RUNNING.includes(object.kind) && containersOf(object).some((one) => componentOf(one) !== undefined);
}

/**
 * The command lines of Karmada's components, read from the Deployments or Pods that run them. Installers name these
 * differently, so a component is identified by the program that a container starts, otherwise by its image. For
 * components without a workload, the operator's Karmada object is used.
 *
 * @param configMap finds the sources of environment variables in arguments, $(NAME)
 */
export function observeComponents(
  objects: readonly KubernetesObject[],
  configMap: FindConfigMap = () => undefined,
): ObservedComponents {
  const commandLines: CommandLine[] = [];
  const versions: ComponentVersion[] = [];
  const warnings: string[] = [];
  const inOrder = objects
    .map((object, index) => ({ object, rank: RUNNING.indexOf(object.kind) * objects.length + index }))
    .sort((a, b) => a.rank - b.rank);
  for (const { object } of inOrder) {
    const source = nameOf(object);
    for (const container of containersOf(object)) {
      const component = componentOf(container);
      if (component === undefined) continue;
      const version = versionOf(container.image);
      if (version !== undefined && !versions.some((one) => one.component === component))
        versions.push({ component, version, source });
      const expand = expansion(container, (name) => configMap(object.metadata.namespace, name));
      const { flags, unread } = readFlags(parseArguments(argumentsOf(container)), expand);
      if (unread.length > 0)
        warnings.push(
          `${source} takes ${unread.map((name) => `--${name}`).join(', ')} from an environment variable whose value is not in the state; the default is assumed`,
        );
      if (version === undefined && component === 'controllerManager' && typeof container.image === 'string')
        warnings.push(
          `${source}: the image ${container.image} does not show the version of ${binaries[component]}`,
        );
      const down = whyDown(object);
      if (down !== undefined && !HELPERS.includes(component))
        warnings.push(`${source} ${down}; answers assume that ${binaries[component]} is running`);
      const known = commandLines.find(
        (line) => line.component === component && (component !== 'estimator' || isForSame(line.flags, flags)),
      );
      if (known === undefined)
        commandLines.push({ component, flags, source, ...(unread.length > 0 && { unread }) });
      else if (!['Pod', 'ReplicaSet'].includes(object.kind) && differs(known.flags, flags))
        warnings.push(
          `${source} and ${known.source} both run ${binaries[component]} with different flags; those of ${known.source} are used unless you assume others`,
        );
    }
  }
  for (const object of objects.filter(isOperatorsKarmada))
    for (const { line, version } of declaredComponents(object)) {
      const { component, source } = line;
      if (commandLines.some((one) => one.component === component)) continue;
      commandLines.push(line);
      if (version !== undefined) versions.push({ component, version, source });
    }
  return { commandLines, versions, warnings };
}

/** Whether an object runs a program that checks of the host cluster read: also estimators and the descheduler. */
export function isHostComponent(object: KubernetesObject): boolean {
  const { kind, metadata } = object;
  return (
    isComponent(object) ||
    (kind === 'Deployment' && /scheduler-estimator|karmada-descheduler/.test(metadata.name))
  );
}

function isOperatorsKarmada({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Karmada' && apiVersion.startsWith('operator.karmada.io/');
}

/** The arguments with which karmada-operator starts components, from its Karmada object. */
function declaredComponents(
  object: KubernetesObject & { spec?: unknown },
): { line: CommandLine; version: string | undefined }[] {
  const declared = fieldsOf(fieldsOf(object.spec)['components']);
  return components.flatMap((component) => {
    const name = operatorFields[component];
    if (name === undefined || declared[name] === undefined) return [];
    const { featureGates, extraArgs, imageTag } = fieldsOf(declared[name]);
    const gates = Object.entries(fieldsOf(featureGates)).map(([gate, value]) => `${gate}=${String(value)}`);
    const flags = [
      ...(gates.length > 0 ? [{ name: 'feature-gates', value: gates.join(',') }] : []),
      ...Object.entries(fieldsOf(extraArgs)).map(([flag, value]) => ({ name: flag, value: String(value) })),
    ];
    const line = { component, flags, source: nameOf(object) };
    return [{ line, version: typeof imageTag === 'string' ? versionOf(`:${imageTag}`) : undefined }];
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value of a container's environment variable; undefined: not in the state; null: not set. */
type Expand = (variable: string) => string | undefined | null;

/** The environment of a container as kubelet builds it: `env` in order over `envFrom`; values may use earlier ones. */
function expansion(
  { env, envFrom }: Container,
  configMap: (name: string) => KubernetesObject | undefined,
): Expand {
  const values = new Map<string, string | undefined>();
  let complete = true;
  const dataOf = (ref: unknown): Record<string, unknown> | undefined => {
    const { name } = fieldsOf(ref);
    const found = typeof name === 'string' ? configMap(name) : undefined;
    return found && fieldsOf((found as { data?: unknown }).data);
  };
  const lookUp: Expand = (variable) =>
    values.has(variable) ? values.get(variable) : complete ? null : undefined;
  for (const one of Array.isArray(envFrom) ? envFrom.map(fieldsOf) : []) {
    const data = dataOf(one['configMapRef']);
    if (!data) complete = false;
    for (const [key, value] of Object.entries(data ?? {}))
      values.set(`${typeof one['prefix'] === 'string' ? one['prefix'] : ''}${key}`, String(value));
  }
  for (const one of Array.isArray(env) ? env.map(fieldsOf) : []) {
    const { name, value, valueFrom } = one;
    if (typeof name !== 'string') continue;
    if (valueFrom === undefined) {
      values.set(name, expanded(typeof value === 'string' ? value : '', lookUp));
      continue;
    }
    const ref = fieldsOf(valueFrom)['configMapKeyRef'];
    const found = dataOf(ref)?.[String(fieldsOf(ref)['key'])];
    values.set(name, found === undefined ? undefined : String(found));
  }
  return lookUp;
}

/** Expands $(NAME) in a text as kubelet does: $$ is $, unset names stay. Undefined if a value is not shown. */
function expanded(text: string, expand: Expand): string | undefined {
  let known = true;
  const result = text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = expand(name);
    if (value === undefined) known = false;
    return value ?? whole;
  });
  return known ? result : undefined;
}

function readFlags(
  given: CommandLine['flags'],
  expand: Expand,
): { flags: CommandLine['flags']; unread: string[] } {
  const flags: CommandLine['flags'] = [];
  const unread = new Set<string>();
  for (const { name, value } of given) {
    const read = expanded(value, expand);
    if (read === undefined) unread.add(name);
    else flags.push({ name, value: read });
  }
  return { flags, unread: [...unread] };
}

/** Whether two estimators are for the same cluster: each member has its own. */
function isForSame(a: CommandLine['flags'], b: CommandLine['flags']): boolean {
  const clusterOf = (flags: CommandLine['flags']) =>
    flags.findLast(({ name }) => name === 'cluster-name')?.value;
  return clusterOf(a) === clusterOf(b);
}

function differs(a: CommandLine['flags'], b: CommandLine['flags']): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function containersOf(object: KubernetesObject): Container[] {
  const spec = (object as { spec?: { template?: { spec?: unknown } } }).spec;
  const podSpec = (object.kind === 'Pod' ? spec : spec?.template?.spec) as
    { containers?: unknown } | undefined;
  const containers = podSpec?.containers;
  return Array.isArray(containers) ? containers.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** The words of a shell's command line (-c) count as arguments, too. */
function argumentsOf({ command, args }: Container): string[] {
  return [command, args]
    .flatMap((part) => (isList(part) ? part : []))
    .filter((part): part is string => typeof part === 'string')
    .flatMap((part) => (part.startsWith('--') ? [part] : part.trim().split(/\s+/)));
}

function componentOf(container: Container): Component | undefined {
  const words = argumentsOf(container);
  const programs = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.slice(word.lastIndexOf('/') + 1));
  const byProgram = components.find((component) => programs.includes(binaries[component]));
  if (byProgram !== undefined) return byProgram;
  const image = typeof container.image === 'string' ? container.image : '';
  const tagged = image.replace(/@.*/s, '');
  const [name] = tagged.slice(tagged.lastIndexOf('/') + 1).split(':', 1);
  return components.find((component) => binaries[component] === name);
}

/** "v1.18.2" of "docker.io/karmada/karmada-scheduler:v1.18.2@sha256:…"; undefined for "latest". */
function versionOf(image: unknown): string | undefined {
  if (typeof image !== 'string') return undefined;
  const version = /:(v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)(?:@|$)/.exec(image)?.[1];
  return version === undefined || version.startsWith('v') ? version : `v${version}`;
}
