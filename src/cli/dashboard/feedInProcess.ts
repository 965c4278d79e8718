import type { DashboardFeed } from '../../terminal/dashboard/answers.ts';
import { followState, type FollowedState } from '../../useCases/dashboard/followState.ts';
import type { Ports } from '../../useCases/ports.ts';
import { Problem } from '../../useCases/problem.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import { UserError } from '../errors.ts';
import { flagNames } from '../flagNames.ts';
import { problemText } from '../problemText.ts';
import { stateRequest, type StateFlags } from '../stateRequest.ts';
import { connectionWords } from '../commandLine.ts';
import { sourceFlags } from '../flags.ts';
import { answerPlace } from './answerPlace.ts';
import { createAuditor } from './auditing.ts';
import type { ControllerLog } from '../../analysis/history/karmadaEvents.ts';
import { editablePolicy, judgedPolicy } from './policyEditing.ts';
import { prepareScenario, type InitialWhatIf } from './simulated.ts';

/** The source of a state, and optionally a log of controllers. */
export interface FeedFlags extends StateFlags {
  'controller-log'?: string | undefined;
}

const noProgress = { report: () => undefined, done: () => undefined };

/**
 * Follows a state in this thread. Rejects with errors that the command line prints.
 * @param beginning the dashboard's initial what-if; refused if impossible in the state. The state is opened with the
 *   assumptions of its scenario.
 */
export function feedInProcess(flags: FeedFlags, beginning?: InitialWhatIf): DashboardFeed {
  const given = beginning?.given;
  const closed = new AbortController();
  let log: ControllerLog | undefined;
  let followed: FollowedState | undefined;
  let ports: Ports = {
    warn: () => undefined,
    note: () => undefined,
    startProgress: () => noProgress,
    names: flagNames,
  };
  const quiet = (): Ports => ({ ...ports, warn: () => undefined, note: () => undefined });
  function current(): OpenedState {
    const state = followed?.current();
    if (!state) throw new Error('Nothing has been read yet.');
    return state;
  }
  let report: (text: string | undefined) => void = () => undefined;
  const audited = createAuditor({
    current,
    ports: quiet,
    report: (text) => report(text),
    signal: closed.signal,
    stopwatch: () => performance.now(),
  });
  const connection = connectionWords(flags, sourceFlags);
  return {
    async follow(notify) {
      report = (text) => notify({ type: 'doing', text });
      const said = new Set<string>();
      const warn = (text: string) => {
        if (!said.has(text)) notify({ type: 'warning', text });
        said.add(text);
      };
      ports = { ...ports, warn, note: warn };
      const options = {
        notify,
        given,
        nameOf: (state: OpenedState) => sourceName(flags, state),
        check(state: OpenedState) {
          if (beginning) prepareScenario(beginning.whatIf, { state, given }, quiet());
        },
        signal: closed.signal,
        stopwatch: () => performance.now(),
      };
      try {
        log = await logOf(flags);
        followed = followState(stateRequest(flags), options, ports);
        await followed.over;
      } catch (error) {
        throw inWords(error);
      }
    },
    close: () => closed.abort(),
    editable: (place, edits) => Promise.resolve(editablePolicy(place, edits, current())),
    judge: (edited) => judgedPolicy(edited, current(), quiet()),
    async ask(place) {
      const state = current();
      try {
        // a marked event may contain typos of the user, so problems are reported
        const its = 'whatIf' in place ? ports : quiet();
        if (place.view === 'audit') return await audited();
        return answerPlace(place, state, its, { past: await followed?.past(), given, log, connection });
      } catch (error) {
        throw inWords(error);
      }
    },
  };
}

/** The decisions of controllers, if a log is given. Rejects with a UserError or StateError that names the file. */
async function logOf({ 'controller-log': file }: FeedFlags): Promise<ControllerLog | undefined> {
  if (file === undefined) return undefined;
  const [{ readNamed }, { readControllerLog }] = await Promise.all([
    import('../scenario/namedFiles.ts'),
    import('../../state/controllerLog.ts'),
  ]);
  return readControllerLog(await readNamed('--controller-log', file), `--controller-log ${file}`);
}

function inWords(error: unknown): unknown {
  return error instanceof Problem ? new UserError(problemText(error.data), { cause: error }) : error;
}

/** "karmada-apiserver", "examples/shop" */
function sourceName({ state, ...flags }: StateFlags, { server }: OpenedState): string {
  if (state?.length) return state.join(', ');
  return server?.context ?? flags['karmada-context'] ?? flags.context ?? server?.url ?? '';
}
