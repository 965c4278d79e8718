import type { DrainProgress } from '../../../analysis/drain/decide/drainStep.ts';
import type { Words, Block } from '../../../presentation/model.ts';
import { followPhases, type PhaseTimes } from '../../drain/phases.ts';
import type { Place } from '../place.ts';

/** What a dashboard knows of an action that was begun. */
export interface ActionShown {
  place: Extract<Place, { view: 'action' }>;
  /**
   * planning: it is read and planned; planned: it waits for a yes; confirmed: it reads again; working: it writes;
   * stopping: it ends after the write under way
   */
  stage: 'planning' | 'planned' | 'confirmed' | 'working' | 'stopping' | 'ended';
  /** the control plane that it has read */
  from?: Extract<ActionNews, { type: 'read' }> | undefined;
  doing?: string | undefined;
  plan?: ActionPlan | undefined;
  /** what was said, the newest last */
  log: readonly Words[];
  drain?: { progress: DrainProgress; times: PhaseTimes } | undefined;
  result?: ActionResult | undefined;
}

/** The longest log that is kept. */
const MOST_SAID = 500;

/** An action that has just been chosen. */
export function begunAction(place: ActionShown['place']): ActionShown {
  return { place, stage: 'planning', log: [] };
}

/** An action after some news of it. */
export function withActionNews(shown: ActionShown, news: ActionNews): ActionShown {
  switch (news.type) {
    case 'read':
      return { ...shown, from: news };
    case 'doing':
      return { ...shown, doing: news.text };
    case 'plan': {
      const { type: _, ...plan } = news;
      return { ...shown, stage: 'planned', plan, doing: undefined };
    }
    case 'begun':
      return { ...shown, stage: shown.stage === 'stopping' ? 'stopping' : 'working', doing: undefined };
    case 'said':
      return { ...shown, log: [...shown.log, news.words].slice(-MOST_SAID) };
    case 'drain': {
      const { progress } = news;
      const times = followPhases(shown.drain?.times ?? new Map(), progress);
      return { ...shown, drain: { progress, times } };
    }
    case 'ended': {
      const { type: _, ...result } = news;
      return { ...shown, stage: 'ended', result, doing: undefined };
    }
  }
}

/** Whether an action may still write. */
export function isAtWork({ stage }: ActionShown): boolean {
  return stage === 'confirmed' || stage === 'working' || stage === 'stopping';
}

/** What there is to show of an action, as plain data, since it runs in another thread. */
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
  /** commands that continue, go back, or accept what was refused, with what each is for */
  next?: readonly (readonly [what: string, words: readonly string[]])[] | undefined;
}
