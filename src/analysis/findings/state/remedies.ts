import { binaries, type Component } from '../../../karmada/dialects/flags.ts';
import { type KarmadaController, startsController } from '../../../karmada/dialects/controllerList.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { objectKey } from '../../../karmada/objects/identities.ts';
import { ownerOfPlacement, type ObjectPatch } from '../../explanation/changes/change.ts';
import { type Examined, runningObject } from './examined.ts';
import type { Remedy } from './stateCheck.ts';

interface RunningTemplate {
  spec?: { template?: { spec?: { containers?: { command?: string[]; args?: string[] }[] } } };
}

/**
 * Starts a component with an argument: in the place of one for the same flag, else after its others. Gates add up, so that one is always
 * added.
 */
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
  const at = Math.max(
    containers.findIndex(({ command = [], args = [] }) =>
      [...command, ...args].some((word) => word.includes(binary)),
    ),
    0,
  );
  const { command = [], args = [] } = containers[at] ?? {};
  const flag = /^--[^=]+=/.exec(argument)?.[0] ?? argument;
  const same = (words: readonly string[]) =>
    flag === '--feature-gates=' ? -1 : words.findIndex((word) => word.startsWith(flag));
  const list = same(command) >= 0 || args.length === 0 ? 'command' : 'args';
  const replaced = same(list === 'args' ? args : command);
  const path = `/spec/template/spec/containers/${at}/${list}/${replaced < 0 ? '-' : replaced}`;
  const patch = JSON.stringify([{ op: replaced < 0 ? 'add' : 'replace', path, value: argument }]);
  const namespace = object.namespace ? ['-n', object.namespace] : [];
  return {
    text,
    commands: [
      ['kubectl', ...namespace, 'patch', object.kind.toLowerCase(), object.name, '--type=json', '-p', patch],
    ],
  };
}

/** Lets karmada-controller-manager start a controller, and the others as it does now. */
export function startController(name: KarmadaController, seen: Examined): Remedy {
  const entries = seen.configuration.controllerManager.controllers.split(',').map((one) => one.trim());
  const others = entries.filter((one) => one !== `-${name}`);
  const list = startsController(others.join(','), name) ? others : [...others, name];
  return startWith('controllerManager', `--controllers=${list.join(',')}`, seen);
}

/** Changes the policies that place these bindings; a binding without a policy itself. Each is changed once. */
export function patchPolicies(
  bindings: readonly ResourceBinding[],
  spec: (binding: ResourceBinding) => object,
): ObjectPatch[] {
  const patches = bindings.map((one) => ({ target: ownerOfPlacement(one), merge: { spec: spec(one) } }));
  return [...new Map(patches.map((one) => [objectKey(one.target), one])).values()];
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
