import type { Action } from '../../../views/dashboard/actions/action.ts';
import type { ActionNews } from '../../../views/dashboard/actions/actionNews.ts';

/** Plans actions and carries them out. A dashboard that may change nothing has none. */
export interface ActionRunner {
  /** Reads and plans, and tells of it; `ended` is the last news. Writes nothing before `confirm`. */
  begin(action: Action, tell: (news: ActionNews) => void): BegunAction;
}

export interface BegunAction {
  /** carries out the plan that was told last */
  confirm(): void;
  /** gives up a plan; if the action writes by now, it ends after the write under way */
  stop(): void;
  /** ends it at once, whatever it does */
  kill(): void;
}
