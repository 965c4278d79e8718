import type { KubernetesObject } from '../karmada/api/meta.ts';
import { parseArguments } from '../karmada/configuration/commandLine.ts';
import type { CommandLine } from '../karmada/configuration/commandLine.ts';
import { binaries, components } from '../karmada/dialects/flags.ts';
import type { Component } from '../karmada/dialects/flags.ts';
import { nameOf } from './world/validateObject.ts';

/** What a state tells about Karmada's own components; resolveConfiguration reads it. */
export interface ObservedComponents {
  /** one per component, the controllers of Pods before Pods */
  commandLines: CommandLine[];
  /** from the tags of their images */
  versions: ComponentVersion[];
  /** one line each: components that run with different flags elsewhere, and those that do not run */
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
}

/** Kinds that run containers, the one that best describes what runs first. */
const RUNNING: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Pod', 'ReplicaSet'];

/** Whether an object runs a component of Karmada. */
export function isComponent(object: KubernetesObject): boolean {
  return RUNNING.includes(object.kind) && containersOf(object).some((one) => componentOf(one) !== undefined);
}

/**
 * The command lines of Karmada's components, read from the Deployments or Pods that run them. Installers name these
 * differently, so the program that a container starts decides which component it is; if it names none, its image.
 */
export function observeComponents(objects: readonly KubernetesObject[]): ObservedComponents {
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
      const flags = parseArguments(argumentsOf(container));
      if (isDown(object))
        warnings.push(
          `${source} has no replica that is ready: answers tell what ${binaries[component]} does as if it ran, from now on and without a restart`,
        );
      const known = commandLines.find((line) => line.component === component);
      if (known === undefined) commandLines.push({ component, flags, source });
      else if (!['Pod', 'ReplicaSet'].includes(object.kind) && differs(known.flags, flags))
        warnings.push(
          `${source} and ${known.source} both run ${binaries[component]} with other flags; those of ${known.source} count unless you assume others`,
        );
    }
  }
  return { commandLines, versions, warnings };
}

/** Whether an object says that none of its replicas is ready. Pods do not say. */
function isDown({ spec, status }: KubernetesObject & { spec?: unknown; status?: unknown }): boolean {
  const count = (from: unknown, field: string) => (from as Record<string, unknown> | undefined)?.[field];
  if (count(spec, 'replicas') === 0) return true;
  const wanted = count(status, 'replicas');
  return typeof wanted === 'number' && wanted > 0 && !count(status, 'readyReplicas');
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

/** The words of a command line for a shell (-c) count as arguments too. */
function argumentsOf({ command, args }: Container): string[] {
  return [command, args]
    .flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : []))
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
  const [tagged] = image.split('@', 1) as [string];
  const [name] = tagged.slice(tagged.lastIndexOf('/') + 1).split(':', 1);
  return components.find((component) => binaries[component] === name);
}

/** "v1.18.2" of "docker.io/karmada/karmada-scheduler:v1.18.2@sha256:…"; undefined for "latest". */
function versionOf(image: unknown): string | undefined {
  if (typeof image !== 'string') return undefined;
  const version = /:(v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)(?:@|$)/.exec(image)?.[1];
  return version === undefined || version.startsWith('v') ? version : `v${version}`;
}
