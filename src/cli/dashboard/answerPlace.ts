import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { explainEvictionTasks } from '../../engine/explanation/tasks/evictionTask.ts';
import { needsPlaying } from '../../engine/explanation/tasks/needsPlaying.ts';
import type { Doubt } from '../../engine/history/history.ts';
import type { Simulation } from '../../engine/simulation/simulation.ts';
import { unconfirmed } from '../../karmada/answeredAssumption.ts';
import type { Block } from '../../presentation/model.ts';
import { warn } from '../../presentation/words.ts';
import { makeScenario } from '../../useCases/scenario/makeScenario.ts';
import { runScenario } from '../../useCases/scenario/runScenario.ts';
import { changedOutcomes } from '../../views/dashboard/lists/outcomes.ts';
import type { Step } from '../../views/dashboard/replayed.ts';
import { bindingKey } from '../../engine/objects/identities.ts';
import { readPositioned } from '../../state/yaml/positions.ts';
import { objectIn } from '../../useCases/dashboard/objectIn.ts';
import { playEvictions } from '../../useCases/eviction/playEvictions.ts';
import { explainIn, type ExplainedFailover } from '../../useCases/explanation/explainFailover.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { RecordedPast } from '../../useCases/dashboard/recordedPast.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { evidenceChoices } from '../../views/dashboard/evidenceChoices.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { recordedSteps } from '../../views/dashboard/recordedSteps.ts';
import { evictionTaskList } from '../../views/evictionTaskList.ts';
import { explanationAnswer } from '../../views/explanation.ts';
import { doubtText } from '../../views/timeline/timelineWords.ts';
import { toYaml } from '../../views/yaml.ts';
import { flagNames } from '../flagNames.ts';

/** The assumptions worth a mention to people. */
const WORTH_SAYING = new Set([...FAILOVER_SWITCHES, 'now', 'karmadaVersion', 'workloadReadyAfter']);
const SHOWN = { wide: false, noHeaders: false, names: flagNames };

/** What a place of a dashboard that is no list shows of a state. */
export function answerPlace(
  place: Place,
  present: OpenedState,
  ports: Ports,
  past?: RecordedPast | undefined,
): Answered {
  const moment = 'at' in place ? place.at : undefined;
  const state = moment === undefined || !past ? present : past.stateAt(moment);
  const gaps = moment === undefined || !past ? [] : gapsAt(past, moment);
  switch (place.view) {
    case 'workload': {
      const explained = explainedAt(place, state, ports);
      const worthSaying = (name: string) => WORTH_SAYING.has(name);
      const { blocks } = explanationAnswer({ ...explained, worthSaying }).presentation(SHOWN);
      return { type: 'blocks', blocks: [...gaps.map(gapBlock), ...blocks] };
    }
    case 'evidence': {
      const { explanation, now } = explainedAt(place, state, ports);
      return {
        type: 'choices',
        choices: evidenceChoices(explanation, now, moment),
        none: 'The explanation rests on nothing but the rules.',
      };
    }
    case 'eviction':
      return evictionAnswer(place.key, state, ports);
    case 'object':
      return objectAnswer(place, state, gaps);
    case 'tomorrow': {
      const outcomes = changedOutcomes(simulated(place.failing, state, ports).workloads);
      return { type: 'outcomes', outcomes, failing: place.failing };
    }
    case 'replay': {
      const { events, start, end } = simulated(place.failing, state, ports);
      const steps = events.map(({ evidence: _why, ...step }): Step => step);
      return { type: 'steps', steps, start, end, failing: place.failing, gaps: [] };
    }
    case 'recording':
      if (past) return { type: 'steps', ...recordedSteps(past.history) };
      return {
        type: 'failed',
        why: 'This is no recording: open one with --state FILE, a file that record has written, as it is.',
      };
    default:
      return { type: 'failed', why: 'There is nothing to see here.' };
  }
}

/** The gaps of a recording in which a moment (epoch milliseconds) lies: what is shown of it is from before. */
function gapsAt({ history }: RecordedPast, moment: number): Doubt[] {
  return history.doubts.filter(
    ({ from, to = Infinity }) => from !== undefined && from <= moment && moment < to,
  );
}

const gapBlock = (gap: Doubt): Block => ({ type: 'paragraph', words: warn(doubtText(gap)) });

/** A cache: outcomes and steps come from the same simulation. */
let last: { state: OpenedState; failing: string; simulation: Simulation } | undefined;

/** What would happen if these clusters failed now. */
function simulated(failing: readonly string[], state: OpenedState, ports: Ports): Simulation {
  const asText = failing.join(' ');
  if (last?.state === state && last.failing === asText) return last.simulation;
  const { world, now, configuration, assumptions } = state;
  const wishes = failing.map((cluster) => ({ type: 'fail' as const, cluster, after: 0 }));
  const { scenario } = makeScenario({ wishes }, undefined, world, now, ports);
  const options = { unconfirmed: unconfirmed(assumptions) };
  const simulation = runScenario(world, scenario, configuration, options, ports);
  last = { state, failing: asText, simulation };
  return simulation;
}

/** As `failover explain` explains it. */
function explainedAt(
  { key, ifFails = [] }: { key: string; ifFails?: readonly string[] },
  state: OpenedState,
  ports: Ports,
): ExplainedFailover {
  const binding = bindingOf(key, state);
  const { kind = 'ResourceBinding', metadata } = binding;
  const request = {
    target: `${kind.toLowerCase()}/${metadata.name}`,
    namespace: metadata.namespace,
    failures: ifFails.map((cluster) => ({ cluster, after: 0 })),
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
  { world, server }: OpenedState,
  gaps: readonly Doubt[],
): Answered {
  const found = objectIn(world, object);
  if (!found) return { type: 'failed', why: `${object.kind} ${object.name} is not in the state.` };
  const text = toYaml(found);
  const [document] = readPositioned(text, 'object').documents;
  const at = field === undefined ? undefined : (document?.at(field).line ?? 1) - 1;
  // mirrors drop them to save memory
  const notes = [
    ...(server && object.kind === 'Work' ? ['# without its manifests, which are not followed'] : []),
    ...gaps.map((gap) => `# ${doubtText(gap)}`),
  ];
  return {
    type: 'text',
    lines: [...notes, ...text.trimEnd().split('\n')],
    at: at === undefined ? undefined : at + notes.length,
  };
}
