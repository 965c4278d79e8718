import { binaries, type Component } from '../../../karmada/dialects/flags.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { nameList } from '../../explanation/nameList.ts';
import { type Examined, runningObject } from './examined.ts';
import type { Remedy } from './stateCheck.ts';

interface RunningTemplate {
  spec?: { template?: { spec?: { containers?: { command?: string[]; args?: string[] }[] } } };
}

/** Starts a component with one more argument, after its others: the last value of a flag counts, and gates add up. */
export function startWith(component: Component, argument: string, seen: Examined): Remedy {
  const binary = binaries[component];
  const text = `start ${binary} with ${argument}`;
  const [object = { kind: 'Deployment', namespace: 'karmada-system', name: binary }] = runningObject(
    component,
    seen,
  );
  if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') return { text };
  const found = seen
    .ofKind(object.kind)
    .find(({ metadata }) => metadata.name === object.name && metadata.namespace === object.namespace) as
    RunningTemplate | undefined;
  const containers = found?.spec?.template?.spec?.containers ?? [];
  const at = containers.findIndex(({ command = [], args = [] }) =>
    [...command, ...args].some((word) => word.includes(binary)),
  );
  const list = (containers[at]?.args?.length ?? 0) > 0 ? 'args' : 'command';
  const path = `/spec/template/spec/containers/${Math.max(at, 0)}/${list}/-`;
  const patch = JSON.stringify([{ op: 'add', path, value: argument }]);
  const namespace = object.namespace ? ['-n', object.namespace] : [];
  return {
    text,
    commands: [
      ['kubectl', ...namespace, 'patch', object.kind.toLowerCase(), object.name, '--type=json', '-p', patch],
    ],
  };
}

/** Restarts a component. */
export function restart(component: Component, seen: Examined): Remedy {
  const binary = binaries[component];
  const [object = { kind: 'Deployment', namespace: 'karmada-system', name: binary }] = runningObject(
    component,
    seen,
  );
  const namespace = object.namespace ? ['-n', object.namespace] : [];
  return {
    text: `find out why ${binary} does not run`,
    commands: [['kubectl', ...namespace, 'describe', object.kind.toLowerCase(), object.name]],
  };
}

/** Clusters and workloads that a message names; the rest is a number. */
const MOST_NAMED = 3;

/** "a, b, c and 4 more" */
export function some(names: readonly string[]): string {
  return nameList([...names], MOST_NAMED);
}

/** "shop/Deployment cart" */
export function named({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** "Deployment shop/cart and 4 more" */
export function someObjects(objects: readonly ObjectIdentity[]): string {
  return some(objects.map(named));
}

/** "1 workload", "3 workloads" */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
