import type { HistoryGap } from '../../analysis/history/history.ts';
import { replayCheck, type ReplayCheck } from '../../analysis/history/replay/replayCheck.ts';
import type { UnsimulatedChange } from '../../analysis/history/replay/outsideBindings.ts';
import { observedScenario, withAcceptedPolicies } from '../../analysis/history/replay/observedScenario.ts';
import { type UnseenTurn, unseenTurns, withTurns } from '../../analysis/history/replay/unseenTurns.ts';
import type { World } from '../../karmada/world.ts';
import { observedReadiness } from '../../analysis/history/replay/observedReadiness.ts';
import { isEvictionByTaint } from '../../analysis/history/taintWriters.ts';
import { FAILOVER_SWITCHES } from '../../analysis/explanation/failoverSwitch.ts';
import { nameList } from '../../analysis/explanation/nameList.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { canonicalOrdering, lateEvents, otherOrdering } from '../../simulator/virtualTime/ordering.ts';
import { unverified, type AnsweredAssumption, type Basis } from '../../karmada/configuration/assumptions.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { formatDuration, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { isRereadable } from '../../state/input/files.ts';
import { openRecording, type RecordedChange, type Recording } from '../../state/recording/recording.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { InputNames, Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { runScenario } from '../scenario/runScenario.ts';
import { worldAndWarning, openStateToRead } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';
import { ofKinds, silences } from '../../state/recording/silences.ts';
import { doubtsOfRecording } from '../timeline/recordedHistory.ts';

interface ReplayRequest {
  file: string;
  given: Pick<StateRequest, 'assume' | 'version'>;
  /** milliseconds until new replicas are ready; absent: as observed in the recording, if possible */
  readyAfter?: number | undefined;
}

interface CheckedReplay extends ReplayCheck, Basis {
  start: number;
  end: number;
  scenario: Scenario;
  /** times of failures and recoveries of members, where the recording shows them */
  turns: UnseenTurn[];
  /** changes that affect decisions but are not simulated: later differences prove nothing */
  unsimulated: UnsimulatedChange[];
  doubts: HistoryGap[];
}

/** The number of other processing orders to try for workloads that did not follow the prediction. */
const OTHER_ORDERS = 24;

/** The processing orders to try from the middle of a recording. */
const SHORT_ORDERS = [
  canonicalOrdering,
  lateEvents,
  ...Array.from({ length: 12 }, (_, i) => otherOrdering(i + 1)),
];

/**
 * Compares a recording with the prediction from its start, given the external events in it. Rejects with a StateError
 * if the file is not a recording.
 */
export async function checkReplay(
  { file, given, readyAfter }: ReplayRequest,
  ports: Ports,
): Promise<CheckedReplay> {
  if (!isRereadable(file))
    throw new Problem({ code: 'recording-no-file', name: file === '-' ? 'stdin' : file });
  const recording = await openRecording([file]);
  const { from: start, to: end } = recording;
  const at = { time: start, text: rfc3339Milliseconds(start) };
  const opened = await openStateToRead({ source: { files: [file] }, at, ...given }, ports);
  const { karmadaVersion } = opened;
  // changes in the first millisecond are not part of the start: they are events
  const recorded = recording.worldAt(start - 1);
  const changes = recording.changesBetween(start - 1, end);
  const configuration = withAcceptedPolicies(opened.configuration, changes);
  const first = worldAndWarning(recorded, karmadaVersion, configuration.rules).world;
  const seen = readyAfter === undefined ? observedReadiness(recorded, changes, end) : {};
  const members = {
    ...usualMembers(first, readyAfter),
    ...seen,
    ...(seen.workloadReadyAfter !== undefined && { guessed: false }),
  };
  const turns = unseenTurns(changes, configuration);
  const seenEvents = observedScenario(first, changes, configuration.rules);
  const events = withTurns(seenEvents.events, turns);
  const scenario: Scenario = {
    start,
    until: end,
    members,
    events,
  };
  const unsimulated = [
    ...unsimulatedFromStart(opened.assumptions, start, changes.some(isEvictionByTaint), ports.names),
    ...gapsOf(recording),
    ...seenEvents.unsimulated,
  ];
  const checked = replayCheck(first, changes, {
    start,
    end,
    unsimulated,
    play(order, actor) {
      if (order !== undefined && order > OTHER_ORDERS + 1) return undefined;
      const ordering = order === 1 ? canonicalOrdering : order && otherOrdering(order - 1);
      const options = {
        unverified: unverified(opened.assumptions),
        ...(ordering || actor ? { otherOrders: 0 } : {}),
        ...(ordering ? { ordering } : {}),
        ...(actor ? { actor: () => actor } : {}),
      };
      return runScenario(first, scenario, configuration, options, ports);
    },
    worldAt: (instant) => recording.worldAt(instant),
    *playFrom(from, until) {
      const { world } = worldAndWarning(recording.worldAt(from), karmadaVersion, configuration.rules);
      const rest = { ...scenario, start: from, until, events: events.filter((one) => one.at > from) };
      for (const ordering of SHORT_ORDERS)
        yield runScenario(world, rest, configuration, { ordering, otherOrders: 0 }, ports);
    },
  });
  return {
    ...checked,
    start,
    end,
    scenario,
    karmadaVersion,
    turns,
    unsimulated,
    doubts: [
      ...doubtsOfRecording(recording, end),
      ...emptyDoubts(first, changes),
      ...turnDoubts(turns.filter(({ status }) => status !== 'True')),
      ...passingDoubts(checked.passing),
    ],
    assumptions: [
      ...opened.assumptions,
      {
        name: 'workloadReadyAfter',
        value: formatDuration(scenario.members.workloadReadyAfter),
        source:
          readyAfter !== undefined
            ? 'given'
            : seen.workloadReadyAfter !== undefined
              ? 'the median in the recording; copies whose start was recorded take their own time'
              : `a guess; give ${ports.names.readyAfter}`,
        assumed: members.guessed === true,
      },
    ],
  };
}

/** The flag without which no taint manager runs. */
const TAINT_MANAGER = 'enable-taint-manager';

/** How Karmada was started, if unknown from both the recording and the user. */
function unsimulatedFromStart(
  assumptions: readonly AnsweredAssumption[],
  at: number,
  evicts: boolean,
  { assume }: InputNames,
): UnsimulatedChange[] {
  const names = assumptions.filter(
    ({ name, byDefault }) => byDefault && FAILOVER_SWITCHES.has(name) && !(evicts && name === TAINT_MANAGER),
  );
  if (names.length === 0) return [];
  const list = names.map(({ name, value }) => `${name}=${String(value)}`).join(', ');
  return [{ at, what: `flags of Karmada: defaults are ${list}; give ${assume}, or record the flags too` }];
}

/** Changes in a gap are recorded too late, or not at all. */
function gapsOf({ gaps, kinds: held }: Recording): UnsimulatedChange[] {
  return silences(gaps).map(({ from, kinds }) => ({
    at: from,
    what: `unrecorded changes${ofKinds(kinds, held)}`,
  }));
}

/** Reasons why there is nothing to check. */
function emptyDoubts({ bindings }: World, changes: readonly RecordedChange[]): HistoryGap[] {
  if (bindings.length === 0)
    return [{ text: 'The recording begins without a binding: there is no workload to predict.' }];
  if (changes.length === 0) return [{ text: 'The recording has no change to compare a prediction with.' }];
  return [];
}

/** This many failures are listed one by one. */
const MAX_FAILURES = 5;

/** When each member failed: only a range is known, narrowed by whether writes in between reached the member. */
function turnDoubts(failures: readonly UnseenTurn[]): HistoryGap[] {
  const more = failures.length - MAX_FAILURES;
  return [
    ...failures.slice(0, MAX_FAILURES).map((failure) => ({
      text: failureText(failure),
      from: failure.earliest,
      to: failure.latest,
    })),
    ...(more > 0
      ? [{ text: `The times of ${more} more failures are not recorded either; -o json lists all.` }]
      : []),
  ];
}

function failureText({ cluster, noticed, taken, since, until }: UnseenTurn): string {
  const [noticedAt, takenAt] = [noticed, taken].map(rfc3339Milliseconds);
  const why = [
    ...(since ? [`${since.what} at ${rfc3339Milliseconds(since.at)} or later`] : []),
    ...(until ? [`${until.what} at ${rfc3339Milliseconds(until.at)}`] : []),
  ];
  const seen = why.length > 0 ? `, and because ${why.join(', and ')}` : '';
  return `The failure time of ${cluster} is not recorded; Karmada noticed the failure at ${noticedAt}. It failed within this time by the flags${seen}. ${takenAt} (the middle) is simulated; other orders try other times in it.`;
}

/** This many names are listed. */
const MAX_NAMES = 10;

/** Workloads that came and went, which are not compared. */
function passingDoubts(passing: readonly ObjectIdentity[]): HistoryGap[] {
  if (passing.length === 0) return [];
  const names = new Set(
    passing.map(({ kind, namespace, name }) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`),
  );
  return [
    {
      text: `Created or deleted during the recording: ${nameList([...names], MAX_NAMES)}. Outcomes of created or deleted workloads are not predicted.`,
    },
  ];
}
