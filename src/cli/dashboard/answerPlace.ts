import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { explainEvictionTasks } from '../../engine/explanation/tasks/evictionTask.ts';
import { needsPlaying } from '../../engine/explanation/tasks/needsPlaying.ts';
import { bindingKey } from '../../engine/objects/identities.ts';
import { readPositioned } from '../../state/yaml/positions.ts';
import { objectIn } from '../../useCases/dashboard/objectIn.ts';
import { playEvictions } from '../../useCases/eviction/playEvictions.ts';
import { explainIn, type ExplainedFailover } from '../../useCases/explanation/explainFailover.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { evidenceChoices } from '../../views/dashboard/evidenceChoices.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { evictionTaskList } from '../../views/evictionTaskList.ts';
import { explanationAnswer } from '../../views/explanation.ts';
import { toYaml } from '../../views/yaml.ts';
import { flagNames } from '../flagNames.ts';

/** The assumptions that people want to read about. */
const WORTH_SAYING = new Set([...FAILOVER_SWITCHES, 'now', 'karmadaVersion', 'workloadReadyAfter']);
const SHOWN = { wide: false, noHeaders: false, names: flagNames };

/** What there is to see at a place of a dashboard that is no list, in a state. */
export function answerPlace(place: Place, state: OpenedState, ports: Ports): Answered {
  switch (place.view) {
    case 'workload': {
      const explained = explained_(place, state, ports);
      const worthSaying = (name: string) => WORTH_SAYING.has(name);
      const { blocks } = explanationAnswer({ ...explained, worthSaying }).presentation(SHOWN);
      return { type: 'blocks', blocks };
    }
    case 'evidence': {
      const { explanation, now } = explained_(place, state, ports);
      return {
        type: 'choices',
        choices: evidenceChoices(explanation, now),
        none: 'The explanation rests on nothing but the rules.',
      };
    }
    case 'eviction':
      return evictionAnswer(place.key, state, ports);
    case 'object':
      return objectAnswer(place, state);
    default:
      return { type: 'failed', why: 'There is nothing to see here.' };
  }
}

/** As `failover explain` explains it. */
function explained_(
  { key, ifFails }: { key: string; ifFails?: string },
  state: OpenedState,
  ports: Ports,
): ExplainedFailover {
  const binding = bindingOf(key, state);
  const { kind = 'ResourceBinding', metadata } = binding;
  const request = {
    target: `${kind.toLowerCase()}/${metadata.name}`,
    namespace: metadata.namespace,
    failures: ifFails === undefined ? [] : [{ cluster: ifFails, after: 0 }],
    clusters: [],
  };
  return explainIn(state, request, ports);
}

function bindingOf(key: string, { world }: OpenedState) {
  const binding = world.bindings.find((one) => bindingKey(one) === key);
  if (!binding) throw new Error('It is not there any more.');
  return binding;
}

function evictionAnswer(key: string, state: OpenedState, ports: Ports): Answered {
  const { world, now, configuration, karmadaVersion } = state;
  const bindings = [bindingOf(key, state)];
  const played = needsPlaying(world, bindings) ? playEvictions(state, undefined, ports) : undefined;
  const items = explainEvictionTasks(world, bindings, {
    now,
    configuration,
    ...(played && { played: played.tasks }),
  });
  const list = { items, now, karmadaVersion, assumptions: played?.assumptions ?? [], detailed: true };
  return { type: 'blocks', blocks: evictionTaskList(list).presentation(SHOWN).blocks };
}

function objectAnswer(
  { object, field }: Extract<Place, { view: 'object' }>,
  { world }: OpenedState,
): Answered {
  const found = objectIn(world, object);
  if (!found) return { type: 'failed', why: `${object.kind} ${object.name} is not in the state.` };
  const text = toYaml(found);
  const [document] = readPositioned(text, 'object').documents;
  const at = field === undefined ? undefined : (document?.at(field).line ?? 1) - 1;
  return { type: 'text', lines: text.trimEnd().split('\n'), at };
}
