import { binaries, operatorFields, type Component } from '../../../karmada/dialects/flags.ts';
import { type KarmadaController, startsController } from '../../../karmada/dialects/controllerList.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { objectKey, identityOf, objectText } from '../../../karmada/objects/identities.ts';
import { ownerOfPlacement, type ObjectPatch } from '../../explanation/changes/change.ts';
import { isRunning } from '../../../simulator/verdicts/stoppedComponents.ts';
import { type Examined, runningObject } from './examined.ts';
import type { Remedy } from './stateCheck.ts';

interface RunningTemplate {
  spec?: { template?: { spec?: { containers?: { command?: unknown; args?: unknown }[] } } };
}

/** The words of a command. Non-text words become "", which keeps the positions of the others. */
function wordsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map((word: unknown) => (typeof word === 'string' ? word : '')) : [];
}

/** The object that starts a component, by default the one that Karmada's installers create, and its arguments there. */
function startedBy(component: Component, seen: Examined) {
  const binary = binaries[component];
  const usual = { kind: 'Deployment', namespace: 'karmada-system', name: binary };
  const [object = usual] = runningObject(component, seen);
  const found = seen.object(object) as RunningTemplate | undefined;
  const containers = (found?.spec?.template?.spec?.containers ?? []).map(({ command, args }) => ({
    command: wordsOf(command),
    args: wordsOf(args),
  }));
  const at = containers.findIndex(({ command, args }) =>
    [...command, ...args].some((word) => word.includes(binary)),
  );
  const container = Math.max(at, 0);
  const { command = [], args = [] } = containers[container] ?? {};
  return { object, command, args, path: `/spec/template/spec/containers/${container}` };
}

/** An operation of a JSON patch. */
interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: string;
}

function patchText(
  text: string,
  { kind, namespace, name }: ObjectIdentity,
  operations: readonly Operation[],
): Remedy {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return { text };
  const of = namespace ? ['-n', namespace] : [];
  const patch = JSON.stringify(operations);
  return {
    text,
    commands: [['kubectl', ...of, 'patch', kind.toLowerCase(), name, '--type=json', '-p', patch]],
  };
}

/**
 * The operator's Karmada object that defines a component, with the component's path in it; undefined if the state
 * contains none.
 */
function operatedBy(component: Component, { kind, namespace, name }: ObjectIdentity, seen: Examined) {
  const field = operatorFields[component];
  const all = seen.ofKind('Karmada');
  const owner =
    runningObject(component, seen).length === 0 && all.length === 1
      ? all[0]
      : all.find(
          ({ metadata }) =>
            metadata.namespace === namespace &&
            (kind === 'Karmada' ? metadata.name === name : name.startsWith(`${metadata.name}-`)),
        );
  return field && owner && { target: { apiVersion: owner.apiVersion, ...identityOf(owner) }, field };
}

/**
 * A change of arguments where it persists: in the Karmada object, from which the operator recreates the Deployment, or
 * otherwise in the object that runs the component.
 *
 * @param value null: the flag is removed
 */
function changeArgument(
  component: Component,
  text: string,
  { flag, value }: { flag: string; value: string | null },
  operations: readonly Operation[],
  seen: Examined,
): Remedy {
  const { object } = startedBy(component, seen);
  const operated = operatedBy(component, object, seen);
  if (!operated) return operations.length > 0 ? patchText(text, object, operations) : { text };
  const gates = value?.split(',').map((gate) => gate.split('='));
  const fields =
    flag === 'feature-gates' && gates
      ? { featureGates: Object.fromEntries(gates.map(([gate, on]) => [gate, on === 'true'])) }
      : { extraArgs: { [flag]: value } };
  return {
    text: `${text}, by the ${objectText(operated.target)} of karmada-operator`,
    patches: [{ target: operated.target, merge: { spec: { components: { [operated.field]: fields } } } }],
  };
}

const GATES = '--feature-gates';

/**
 * Where a component's arguments set a flag, in the order of reading. Undefined if a patch of one word would not change
 * it: the value is a separate word, or a shell starts the component. Gates have no position: all occurrences add up.
 */
function placesOfFlag(flag: string, { command, args, path }: ReturnType<typeof startedBy>) {
  const wordsIn = (list: string, words: readonly string[]) =>
    words.map((word, at) => ({ word, place: `${path}/${list}/${at}` }));
  const words = [...wordsIn('command', command), ...wordsIn('args', args)];
  const isAlone = (word: string) => word === flag && flag !== GATES;
  if (words.some(({ word }) => isAlone(word) || /\s--/.test(word))) return undefined;
  return flag === GATES
    ? []
    : words.filter(({ word }) => word.startsWith(`${flag}=`)).map(({ place }) => place);
}

const removed = (path: string): Operation => ({ op: 'remove', path });

/** Adds a component's argument, replacing one for the same flag; without a patch where one would have no effect. */
export function startWith(component: Component, argument: string, seen: Examined): Remedy {
  const started = startedBy(component, seen);
  const [flag = argument] = argument.split('=');
  const given = placesOfFlag(flag, started);
  // Repeated lists add up; for other flags the last one wins. Only one is kept.
  const [last, ...others] = (given ?? []).toReversed();
  const operation: Operation = last
    ? { op: 'replace', path: last, value: argument }
    : {
        op: 'add',
        path: `${started.path}/${started.args.length === 0 ? 'command' : 'args'}/-`,
        value: argument,
      };
  return changeArgument(
    component,
    `start ${binaries[component]} with ${argument}`,
    { flag: flag.slice(2), value: argument.slice(flag.length + 1) },
    given ? [operation, ...others.map(removed)] : [],
    seen,
  );
}

/** Removes an argument that a component does not know; without a patch where one would have no effect. */
export function startWithout(component: Component, flag: string, seen: Examined): Remedy {
  const given = placesOfFlag(flag, startedBy(component, seen)) ?? [];
  const text = `start ${binaries[component]} without ${flag}`;
  // Reversed: each removal shifts the arguments behind it.
  const removals = given.toReversed().map(removed);
  return changeArgument(component, text, { flag: flag.slice(2), value: null }, removals, seen);
}

/** Makes karmada-controller-manager start a controller, without affecting the others. */
export function startController(name: KarmadaController, seen: Examined): Remedy {
  const entries = seen.configuration.controllerManager.controllers.split(',');
  const others = entries.filter((one) => one !== `-${name}`);
  const list = startsController(others.join(','), name) ? others : [...others, name];
  return startWith('controllerManager', `--controllers=${list.join(',')}`, seen);
}

/** Patches the policies that place these bindings, each once; a binding without a policy is patched itself. */
export function patchPolicies(
  bindings: readonly ResourceBinding[],
  spec: (binding: ResourceBinding) => object,
): ObjectPatch[] {
  const patches = bindings.map((one) => ({ target: ownerOfPlacement(one), merge: { spec: spec(one) } }));
  return [...new Map(patches.map((one) => [objectKey(one.target), one])).values()];
}

/** How to inspect a component that does not do its work: its log if it runs, otherwise the object that starts it. */
export function investigateComponent(component: Component, seen: Examined): Remedy {
  const { object } = startedBy(component, seen);
  const namespace = object.namespace ? ['-n', object.namespace] : [];
  const kind = object.kind.toLowerCase();
  return isRunning(seen.object(object))
    ? {
        text: `${binaries[component]} runs: look in its log for the reason`,
        commands: [['kubectl', ...namespace, 'logs', `${kind}/${object.name}`, '--tail=500']],
      }
    : {
        text: `find out why ${binaries[component]} does not run`,
        commands: [['kubectl', ...namespace, 'describe', kind, object.name]],
      };
}
