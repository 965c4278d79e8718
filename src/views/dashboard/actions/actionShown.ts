import type { DrainProgress } from '../../../analysis/drain/decide/drainStep.ts';
import type { Words } from '../../../presentation/model.ts';
import { followPhases, type PhaseTimes } from '../../drain/phases.ts';
import type { Place } from '../place.ts';
import type { ActionNews, ActionPlan, ActionResult } from './actionNews.ts';

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
