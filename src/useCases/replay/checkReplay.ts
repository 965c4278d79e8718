import type { Doubt } from '../../engine/history/history.ts';
import { replayCheck, type ReplayCheck } from '../../engine/history/replay/replayCheck.ts';
import { seenScenario } from '../../engine/history/replay/seenScenario.ts';
import { seenHistory } from '../../engine/history/seenHistory.ts';
import { median } from '../../engine/history/replay/steps.ts';
import type { Scenario } from '../../engine/scenario.ts';
import { canonicalOrdering, otherOrdering } from '../../engine/virtualTime/ordering.ts';
import { unconfirmed, type AnsweredAssumption } from '../../karmada/answeredAssumption.ts';
import { formatDuration, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { openRecording, type Recording } from '../../state/recording/recording.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import type { Ports } from '../ports.ts';
import { runScenario } from '../scenario/runScenario.ts';
import { asVersionSees, openStateToRead } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';
import { doubtsOfRecording } from '../timeline/doubtsOfRecording.ts';

export interface ReplayRequest {
  /** the file of the recording */
  file: string;
  given: Pick<StateRequest, 'assume' | 'version'>;
  /** how long new replicas take until they are ready, in milliseconds; absent: as it was recorded, if it was */
  readyAfter?: number | undefined;
}

export interface CheckedReplay extends ReplayCheck {
  start: number;
  end: number;
  scenario: Scenario;
  doubts: Doubt[];
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
}

/** Orders that are tried for what goes another way than it was predicted. */
const OTHER_ORDERS = 24;

/**
 * What would have been predicted from the start of a recording, of what then happened from outside, beside what followed. Rejects with
 * a StateError if the file is no recording.
 */
export async function checkReplay(
  { file, given, readyAfter }: ReplayRequest,
  ports: Ports,
): Promise<CheckedReplay> {
  const recording = await openRecording(file);
  const { from: start, to: end } = recording;
  const at = { time: start, text: rfc3339Milliseconds(start) };
  const opened = await openStateToRead({ source: { files: [file] }, at, ...given }, ports);
  const { configuration, karmadaVersion } = opened;
  const first = asVersionSees(recording.worldAt(start), karmadaVersion, configuration.rules).world;
  const changes = recording.changesBetween(start - 1, end);
  const doubts = doubtsOfRecording(recording, end);
  const measured = readyAfter ?? readyAfterIn(recording, configuration);
  const usual = usualMembers(first);
  const scenario: Scenario = {
    start,
    until: end,
    members: measured === undefined ? usual : { ...usual, workloadReadyAfter: measured },
    events: seenScenario(first, changes),
  };
  const checked = replayCheck(first, changes, {
    ...{ start, end },
    play(order) {
      if (order !== undefined && order > OTHER_ORDERS + 1) return undefined;
      const ordering = order === 1 ? canonicalOrdering : order && otherOrdering(order - 1);
      const options = {
        unconfirmed: unconfirmed(opened.assumptions),
        ...(ordering ? { ordering, otherOrders: 0 } : {}),
      };
      return runScenario(first, scenario, configuration, options, ports);
    },
  });
  return {
    ...checked,
    ...{ start, end, scenario, doubts, karmadaVersion },
    assumptions: [
      ...opened.assumptions,
      {
        name: 'workloadReadyAfter',
        value: formatDuration(scenario.members.workloadReadyAfter),
        source:
          readyAfter !== undefined
            ? 'given'
            : measured !== undefined
              ? 'the median in the recording'
              : `a guess; give ${ports.names.readyAfter}`,
        assumed: readyAfter === undefined && measured === undefined,
      },
    ],
  };
}

/** How long replacements took until they were ready, in whole seconds: the median in the recording, if there were any. */
function readyAfterIn(
  recording: Recording,
  configuration: Parameters<typeof seenHistory>[0]['configuration'],
): number | undefined {
  const { from: start, to: end, changes } = recording;
  const { evictions } = seenHistory({
    ...{ first: recording.worldAt(start), changes, start, end, configuration, doubts: [] },
  });
  const took = evictions
    .flatMap(({ scheduled, ready }) =>
      scheduled === undefined || ready === undefined || ready <= scheduled ? [] : [ready - scheduled],
    )
    .sort((a, b) => a - b);
  const middle = median(took);
  return middle === undefined ? undefined : Math.max(1, Math.round(middle / 1000)) * 1000;
}
