import type { DrainProgress } from '../../../analysis/drain/decide/drainStep.ts';
import type { Words, Block } from '../../../presentation/model.ts';
import { followPhases, type PhaseTimes } from '../../drain/phases.ts';
import type { Place } from '../place.ts';

/** A dashboard's data about a started action. */
export interface ActionShown {
  place: Extract<Place, { view: 'action' }>;
  /**
   * planning: it is read and planned; planned: it waits for confirmation; confirmed: it reads again; working: it
   * writes; stopping: it ends after the current write
   */
  stage: 'planning' | 'planned' | 'confirmed' | 'working' | 'stopping' | 'ended';
  /** the control plane that it read */
  from?: Extract<ActionNews, { type: 'read' }> | undefined;
  doing?: string | undefined;
  plan?: ActionPlan | undefined;
  /** its messages, newest last */
  log: readonly Words[];
  drain?: { progress: DrainProgress; times: PhaseTimes } | undefined;
  result?: ActionResult | undefined;
}

/** The longest log kept. */
const MAX_SAID = 500;

/** An action just after it was selected. */
export function startedAction(place: ActionShown['place']): ActionShown {
  return { place, stage: 'planning', log: [] };
}

/** An action after an update. */
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
      return { ...shown, log: [...shown.log, news.words].slice(-MAX_SAID) };
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
export function mayStillWrite({ stage }: ActionShown): boolean {
  return stage === 'confirmed' || stage === 'working' || stage === 'stopping';
}

/** An update of an action, as plain data, because actions run in another thread. */
export type ActionNews =
  /** the control plane that it read; `now` is epoch milliseconds of the server's clock */
  | { type: 'read'; context: string | undefined; server: string; now: number }
  /** the current step until there is a plan: "planning T+1m" */
  | { type: 'doing'; text: string }
  | ({ type: 'plan' } & ActionPlan)
  /** it was confirmed, and writes now */
  | { type: 'begun' }
  /** a warning, or something that was done */
  | { type: 'said'; words: Words }
  | { type: 'drain'; progress: DrainProgress }
  | ({ type: 'ended' } & ActionResult);

/** The plan of an action, and the question whether to do it. */
export interface ActionPlan {
  blocks: readonly Block[];
  question: string;
  /** what changed since the user confirmed an earlier plan */
  changes?: readonly string[] | undefined;
  /** for a drain: how long an eviction takes until the old copy is gone, in milliseconds */
  departure?: number | undefined;
}

export interface ActionResult {
  /**
   * done: everything as intended; nothing: nothing to do, or not confirmed; refused: nothing was written, because of
   * the consequences; not-finished: stopped, or partly failed; failed: it could not be done
   */
  outcome: 'done' | 'nothing' | 'refused' | 'not-finished' | 'failed';
  blocks: readonly Block[];
  /** commands that continue, undo, or accept a refusal, with the purpose of each */
  next?: readonly (readonly [what: string, words: readonly string[]])[] | undefined;
}
