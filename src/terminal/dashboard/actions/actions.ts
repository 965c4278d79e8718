import type { Action } from '../../../views/dashboard/actions/action.ts';
import {
  type ActionNews,
  startedAction,
  mayStillWrite,
  withActionNews,
  type ActionShown,
} from '../../../views/dashboard/actions/actionShown.ts';
import { placeKey, type Place } from '../../../views/dashboard/place.ts';

type ActionPlace = Extract<Place, { view: 'action' }>;

export interface Actions {
  /** by `placeKey` */
  known(): ReadonlyMap<string, ActionShown>;
  /** the number of the next action */
  next(): number;
  /** Starts the action of a new page, and gives up plans whose pages are closed; does nothing while the dashboard closes. */
  show(place: Place): void;
  /** Carries out the plan of a page, if it waits for confirmation. */
  confirm(place: ActionPlace): void;
  stop(place: ActionPlace): void;
  /** Stops all running actions, and resolves with the unfinished ones once all have ended. */
  close(): Promise<Action[]>;
  /** Ends all actions at once, and returns those that were running. */
  kill(): Action[];
}

/** @param changed called after any update */
export function createActions(runner: ActionRunner, changed: () => void): Actions {
  const begun = new Map<string, BegunAction>();
  let known: ReadonlyMap<string, ActionShown> = new Map();
  let next = 1;
  let waiting: (() => void)[] = [];
  let closing: Promise<Action[]> | undefined;

  const put = (key: string, shown: ActionShown) => (known = new Map(known).set(key, shown));
  function heard(key: string, news: ActionNews): void {
    const before = known.get(key);
    if (!before || before.stage === 'ended') return;
    put(key, withActionNews(before, news));
    if (news.type === 'ended') {
      begun.delete(key);
      for (const resolve of waiting) resolve();
      waiting = [];
    }
    changed();
  }
  /**
   * A plan whose page is closed is given up: its control plane keeps changing. A plan that changed after its
   * confirmation waits: otherwise it would vanish silently and seem to be in progress.
   */
  function giveUpPlans(but?: string): void {
    for (const [key, { stage, plan }] of known) {
      const isOpen = stage === 'planning' || (stage === 'planned' && !plan?.changes?.length);
      if (key === but || !isOpen) continue;
      begun.get(key)?.kill();
      begun.delete(key);
      const rest = new Map(known);
      rest.delete(key);
      known = rest;
    }
  }
  return {
    known: () => known,
    next: () => next,
    show(place) {
      if (closing) return;
      const key = placeKey(place);
      giveUpPlans(key);
      if (place.view !== 'action' || known.has(key) || place.number !== next) return;
      next++;
      put(key, startedAction(place));
      const one = runner.begin(place.action, (news) => heard(key, news));
      begun.set(key, one);
    },
    confirm(place) {
      const key = placeKey(place);
      const shown = known.get(key);
      if (shown?.stage !== 'planned') return;
      put(key, { ...shown, stage: 'confirmed' });
      begun.get(key)?.confirm();
    },
    stop(place) {
      const key = placeKey(place);
      const shown = known.get(key);
      if (!shown || !mayStillWrite(shown)) return;
      put(key, { ...shown, stage: 'stopping' });
      begun.get(key)?.stop();
    },
    close() {
      closing ??= ended();
      return closing;
    },
    kill() {
      for (const one of begun.values()) one.kill();
      return [...begun.keys()].flatMap((key) => {
        const shown = known.get(key);
        return shown && mayStillWrite(shown) ? [shown.place.action] : [];
      });
    },
  };

  async function ended(): Promise<Action[]> {
    giveUpPlans();
    const last = [...begun.keys()];
    for (const one of begun.values()) one.stop();
    while (begun.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return last.flatMap((key) => {
      const { place, result } = known.get(key)!;
      return result?.outcome === 'not-finished' ? [place.action] : [];
    });
  }
}

/** Plans actions and carries them out. A read-only dashboard has none. */
export interface ActionRunner {
  /** Reads, plans, and reports it; `ended` is the last report. Writes nothing before `confirm`. */
  begin(action: Action, notify: (news: ActionNews) => void): BegunAction;
}

interface BegunAction {
  /** carries out the last reported plan */
  confirm(): void;
  /** gives up a plan; if the action is writing, it ends after the current write */
  stop(): void;
  /** ends it at once, whatever it is doing */
  kill(): void;
}
