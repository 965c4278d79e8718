import type { Feed } from '../../analysis/overview/feed.ts';
import type { ActionShown } from '../../views/dashboard/actions/actionShown.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import type { Place, SectionName } from '../../views/dashboard/place.ts';
import { NO_CHANGES, type WhatIf } from '../../views/dashboard/whatIf.ts';
import type { ViewNames } from '../../views/answer.ts';
import type { Characters } from '../screen/characters.ts';
import { FIRST_PAGE, type ListPage } from '../screen/listed.ts';

export interface Page extends ListPage {
  place: Place;
  /** the list below the first one that keys act on; absent: they act on the first one */
  section?: SectionName | undefined;
  left?: Readonly<Partial<Record<SectionName | typeof FIRST_LIST, ListPage>>> | undefined;
}

/** The first list of a page that has several. */
export const FIRST_LIST = 'first';

/** The pages from the first to the current one. */
export type Trail = readonly [Page, ...Page[]];

/** The input in the last line, and its purpose. */
export interface Input {
  /** `file`: of policies to apply; `confirm`: the answer to an action's question */
  purpose: 'filter' | 'jump' | 'namespace' | 'taint' | 'file' | 'confirm';
  text: string;
  /** why the input was rejected */
  problem?: string | undefined;
}

/** A running replay: its position in time (epoch milliseconds), and how many seconds pass per second. */
interface Playing {
  at: number;
  speed: number;
}

/** The state of a dashboard, apart from the data that it shows. */
export interface DashboardState {
  trail: Trail;
  /** trails to go back to, newest last; and trails to go forward to, next last */
  past: readonly Trail[];
  future: readonly Trail[];
  namespace?: string | undefined;
  /** the marked events */
  marks: WhatIf;
  /** a replay that continues by itself */
  playing?: Playing | undefined;
  input?: Input | undefined;
  /** shown in the last line until the next key */
  note?: string | undefined;
  /** the words of the commands for visited pages, each once, newest last */
  commands: readonly (readonly string[])[];
}

export interface DashboardView {
  feed: Feed;
  /** the answers so far, by `placeKey` */
  answers: ReadonlyMap<string, Answered>;
  /** the started actions; absent: the dashboard is read-only */
  actions?:
    | {
        /** by `placeKey` */
        known: ReadonlyMap<string, ActionShown>;
        /** the number of the next one */
        next: number;
      }
    | undefined;
  /** the instant to count ages from: epoch milliseconds of the control plane's clock */
  now: number;
  columns: number;
  rows: number;
  characters: Characters;
  names: ViewNames;
  /** turns words without a control plane into a command line to paste into a shell */
  commandLine(words: readonly string[]): string;
}

/** A page in its initial state. */
export function pageOf(place: Place): Page {
  return { place, ...FIRST_PAGE };
}

/** The same trail with another page at its end. */
export function withPage(state: DashboardState, page: Page): DashboardState {
  const [first, ...rest] = state.trail;
  return { ...state, trail: rest.length === 0 ? [page] : [first, ...rest.slice(0, -1), page] };
}

/** A dashboard in its initial state. */
export function firstState(
  place: Place = { view: 'clusters' },
  namespace?: string,
  marks: WhatIf = NO_CHANGES,
): DashboardState {
  return { trail: [pageOf(place)], past: [], future: [], namespace, marks, commands: [] };
}

/** The page that is shown: the last one of the trail. */
export function pageShown({ trail }: DashboardState): Page {
  return trail.at(-1)!;
}

/** The request of a key to the terminal's owner. */
export type Effect =
  | { type: 'quit'; interrupted?: true }
  | { type: 'suspend' }
  | { type: 'redraw' }
  /** copies a text to the terminal's clipboard */
  | { type: 'copy'; text: string }
  /** carries out the plan of an action that the user has just confirmed; stops an action */
  | { type: 'confirm' | 'stop'; place: Extract<Place, { view: 'action' }> }
  /** opens an editor for the policy at a place */
  | { type: 'edit'; place: Place };

/** The result of a key for the state. */
export interface Reduced {
  state: DashboardState;
  effect?: Effect | undefined;
}
