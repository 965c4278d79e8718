import type { DrainProgress } from '../../../analysis/drain/decide/drainStep.ts';
import type { Block, Words } from '../../../presentation/model.ts';

/** What there is to tell of an action, as plain data, since it runs in another thread. */
export type ActionNews =
  /** the control plane that it has read; `now` is epoch milliseconds of the server's clock */
  | { type: 'read'; context: string | undefined; server: string; now: number }
  /** what is being done until there is a plan: "planning T+1m" */
  | { type: 'doing'; text: string }
  | ({ type: 'plan' } & ActionPlan)
  /** it has been confirmed, and writes now */
  | { type: 'begun' }
  /** a warning, or something that was done */
  | { type: 'said'; words: Words }
  | { type: 'drain'; progress: DrainProgress }
  | ({ type: 'ended' } & ActionResult);

/** What an action would do, and the question whether it is to. */
export interface ActionPlan {
  blocks: readonly Block[];
  question: string;
  /** what has changed since somebody said yes to an earlier plan */
  changes?: readonly string[] | undefined;
  /** of a drain: how long an eviction takes until the old copy is gone, in milliseconds */
  departure?: number | undefined;
}

/** How an action ended. */
export interface ActionResult {
  /**
   * done: all is as intended; nothing: it was so already, or nobody said yes; refused: nothing was written, because of
   * what it would do; not-finished: stopped, or a part could not be done; failed: it could not be done
   */
  outcome: 'done' | 'nothing' | 'refused' | 'not-finished' | 'failed';
  blocks: readonly Block[];
  /** commands that go on, go back, or accept what was refused, with what each is for */
  next?: readonly (readonly [what: string, words: readonly string[]])[] | undefined;
}
