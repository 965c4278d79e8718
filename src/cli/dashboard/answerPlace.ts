import type { HistoryGap } from '../../analysis/history/history.ts';
import { narrowSimulation } from '../../simulator/simulation/simulation.ts';
import type { Block } from '../../presentation/model.ts';
import { asWarning } from '../../presentation/words.ts';
import { curesOf, diagnosisOf } from '../../useCases/doctor/diagnoseControlPlane.ts';
import { shownFindings, type ShownFindings } from '../../views/dashboard/lists/findings.ts';
import { diagnosisTotals } from '../../views/doctor/diagnosisAnswer.ts';
import { findingNode } from '../../views/doctor/stateFinding.ts';
import { riskText } from '../../views/taintPolicy/riskWords.ts';
import { nextStepCommands } from '../doctor/nextStepCommand.ts';
import { changedOutcomes } from '../../views/dashboard/lists/outcomes.ts';
import type { ReplayedStep, Answered } from '../../views/dashboard/answered.ts';
import { bindingIdentity, bindingKey } from '../../karmada/objects/identities.ts';
import { readPositioned } from '../../state/yaml/positions.ts';
import { objectIn } from '../../useCases/dashboard/objectIn.ts';
import { explainEvictions } from '../../useCases/eviction/simulateEvictions.ts';
import { explainIn, type ExplainedFailover } from '../../useCases/explanation/explainFailover.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { RecordedPast } from '../../useCases/dashboard/recordedPast.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import { evidenceChoices, policyChoices } from '../../views/dashboard/choices.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { decisionBlocks, decisionSteps, recordedSteps } from '../../views/dashboard/replayedSteps.ts';
import type { ControllerLog } from '../../analysis/history/karmadaEvents.ts';
import { evictionTaskList } from '../../views/eviction/evictionTaskList.ts';
import { explanationAnswer } from '../../views/explanation/explanation.ts';
import { doubtText } from '../../views/timeline/timelineWords.ts';
import { toYaml } from '../../views/forms/yaml.ts';
import { simulationAnswer } from '../../views/simulation/simulation.ts';
import { isNothing, whatIfText } from '../../views/dashboard/whatIf.ts';
import { flagNames } from '../flagNames.ts';
import { outcomesWithoutEvents, simulated, type GivenScenario } from './simulated.ts';

const SHOWN = { wide: false, noHeaders: false, names: flagNames };

interface Circumstances {
  /** what was recorded before, if the state comes from a recording */
  past?: RecordedPast | undefined;
  /** the scenario with which the dashboard was opened */
  given?: GivenScenario | undefined;
  log?: ControllerLog | undefined;
  /** the words of a command line that name the control plane */
  connection?: readonly string[] | undefined;
}

const NO_LOG =
  'There is no log of controllers: give --controller-log FILE, the output of controller run -o json.';

/** The answer for a dashboard page other than a list. */
export function answerPlace(
  place: Place,
  present: OpenedState,
  ports: Ports,
  { past, given, log, connection = [] }: Circumstances = {},
): Answered {
  const moment = 'at' in place ? place.at : undefined;
  const state = moment === undefined || !past ? present : past.stateAt(moment);
  const gaps = moment === undefined || !past ? [] : gapsAt(past, moment);
  switch (place.view) {
    case 'workload': {
      const explained = explainedAt(place, state, ports);
      const { blocks } = explanationAnswer(explained).presentation(SHOWN);
      return { type: 'blocks', blocks: [...gaps.map(gapBlock), ...blocks] };
    }
    case 'evidence': {
      const { explanation, now } = explainedAt(place, state, ports);
      return {
        type: 'choices',
        choices: evidenceChoices(explanation, now, moment),
        none: 'The explanation has no evidence besides the rules.',
      };
    }
    case 'eviction':
      return evictionAnswer(place.key, state, ports);
    case 'object':
      return objectAnswer(place, state, gaps);
    case 'tomorrow': {
      const { whatIf } = place;
      const then = simulated(whatIf, { state, given }, ports).workloads;
      const outcomes = changedOutcomes(then, isNothing(whatIf) ? [] : outcomesWithoutEvents(state, ports));
      return { type: 'outcomes', outcomes, workloads: then.length, whatIf };
    }
    case 'replay': {
      const { whatIf } = place;
      const { events, start, end } = simulated(whatIf, { state, given }, ports);
      const steps = events.map(({ evidence: _why, ...step }): ReplayedStep => step);
      return { type: 'steps', steps, start, end, whatIf, gaps: [] };
    }
    case 'fate':
      return fateAnswer(place, state, ports, given);
    case 'recording':
      if (past) return { type: 'steps', ...recordedSteps(past.history, place.of) };
      return {
        type: 'failed',
        why: 'This is not a recording: open one with --state FILE, unchanged since record wrote it.',
      };
    case 'decisions':
      return log ? { type: 'steps', ...decisionSteps(log) } : { type: 'failed', why: NO_LOG };
    case 'decision': {
      const blocks = log && decisionBlocks(log, place.line);
      return blocks ? { type: 'blocks', blocks } : { type: 'failed', why: NO_LOG };
    }
    case 'policies':
      return {
        type: 'choices',
        choices: policyChoices(state.world),
        none: 'There is no policy.',
      };
    case 'findings': {
      const { findings, totals, unchecked } = diagnosed(state, ports);
      return { type: 'findings', findings, totals, unchecked };
    }
    case 'finding':
      return findingAnswer(place.id, state, ports, connection);
    default:
      return { type: 'failed', why: 'Nothing to show.' };
  }
}

/** A cache: for the list, and each finding opened from it. */
let lastDiagnosis: ({ state: OpenedState } & ShownFindings) | undefined;

/** The findings of all checks in a state. */
function diagnosed(state: OpenedState, ports: Ports) {
  if (lastDiagnosis?.state !== state) {
    const asked = { selection: {}, riskWords: riskText };
    const found = diagnosisOf(state, () => true, asked, ports);
    lastDiagnosis = {
      state,
      findings: shownFindings(found.findings),
      totals: diagnosisTotals(found),
      unchecked: found.unchecked,
    };
  }
  return lastDiagnosis;
}

/** A finding with its evidence and remedy; searches changes that would fix it. */
function findingAnswer(
  id: string,
  state: OpenedState,
  ports: Ports,
  connection: readonly string[],
): Answered {
  const finding = diagnosed(state, ports).findings.find(({ key }) => key === id);
  if (!finding) return { type: 'failed', why: 'The check no longer reports it.' };
  const cured = curesOf([finding], state, { cured: 1 }, ports);
  const node = findingNode(finding, cured, nextStepCommands(connection), true);
  return { type: 'blocks', blocks: [{ type: 'tree', nodes: [node] }] };
}

/** The gaps of a recording around a moment (epoch milliseconds): the shown state dates from before the gap. */
function gapsAt({ history }: RecordedPast, moment: number): HistoryGap[] {
  return history.doubts.filter(
    ({ from, to = Infinity }) => from !== undefined && from <= moment && moment < to,
  );
}

const gapBlock = (gap: HistoryGap): Block => ({ type: 'paragraph', words: asWarning(doubtText(gap)) });

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
  if (!binding) throw new Error('It is no longer there.');
  return binding;
}

/** The steps of one workload, each with its evidence. */
function fateAnswer(
  { key, whatIf }: Extract<Place, { view: 'fate' }>,
  state: OpenedState,
  ports: Ports,
  given: GivenScenario | undefined,
): Answered {
  const binding = bindingOf(key, state);
  const trace = bindingIdentity(binding);
  const simulation = narrowSimulation(simulated(whatIf, { state, given, trace }, ports), [binding]);
  const { karmadaVersion } = state;
  const answer = simulationAnswer({
    simulation,
    title: whatIfText(whatIf, 3),
    karmadaVersion,
    assumptions: [],
    timeline: true,
  });
  return { type: 'blocks', blocks: answer.presentation({ ...SHOWN, wide: true }).blocks };
}

function evictionAnswer(key: string, state: OpenedState, ports: Ports): Answered {
  const { now, karmadaVersion } = state;
  const explained = explainEvictions(state, [bindingOf(key, state)], undefined, ports);
  const list = { ...explained, now, karmadaVersion, detailed: true };
  return { type: 'blocks', blocks: evictionTaskList(list).presentation(SHOWN).blocks };
}

function objectAnswer(
  { object, field }: Extract<Place, { view: 'object' }>,
  { world, server }: OpenedState,
  gaps: readonly HistoryGap[],
): Answered {
  const found = objectIn(world, object);
  if (!found) return { type: 'failed', why: `${object.kind} ${object.name} is not in the state.` };
  const text = toYaml(found);
  const [document] = readPositioned(text, 'object').documents;
  const at = field === undefined ? undefined : (document?.at(field).line ?? 1) - 1;
  // the mirror drops Events to save memory
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
