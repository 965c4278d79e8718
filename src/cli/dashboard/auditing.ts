import type { KeptAudit } from '../../analysis/audit/earlierAudit.ts';
import { pause } from '../../operations/pause.ts';
import { sameVersions } from '../../karmada/sameVersions.ts';
import { auditState } from '../../useCases/audit/auditFailover.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { shownAudit } from '../../views/dashboard/lists/audit.ts';

/** The pause after an audit, as a multiple of its duration: forecasts and what-ifs take their turn. */
const REST = 4;

interface AuditorOptions {
  current(): OpenedState;
  ports(): Ports;
  /** reports the simulation in progress; undefined: none */
  report(text: string | undefined): void;
  signal: AbortSignal;
  /** milliseconds */
  stopwatch(): number;
}

/** Audits the followed state on request; a result is kept until the state changes, and there is a pause between audits. */
export function createAuditor({ current, ports, report, signal, stopwatch }: AuditorOptions) {
  let kept: KeptAudit | undefined;
  let last: { state: OpenedState; answer: Answered; took: number; ended: number } | undefined;
  return async (): Promise<Answered> => {
    if (last && isSame(last.state, current())) return last.answer;
    if (last) await pause(Math.max(0, REST * last.took - (stopwatch() - last.ended)), signal);
    const state = current();
    const began = stopwatch();
    const startProgress = () => ({
      report: (doing: string, finished = 0, total = 0) => report(`${doing}, ${finished} of ${total}`),
      done: () => report(undefined),
    });
    const { audit, ...answer } = await auditState(
      state,
      {
        selection: {},
        groupBy: [],
        pairs: false,
        targets: { namespaces: new Map() },
        cures: false,
        keeps: { earlier: kept },
        signal,
      },
      { ...ports(), startProgress },
    );
    kept = answer.kept ?? kept;
    const answered: Answered = { type: 'audit', ...shownAudit(audit) };
    const ended = stopwatch();
    last = { state, answer: answered, took: ended - began, ended };
    return answered;
  };
}

function isSame(a: OpenedState, b: OpenedState): boolean {
  return a === b || sameVersions(a.world, b.world);
}
