import type { Feed } from '../../analysis/overview/feed.ts';
import type { ActionShown } from '../../views/dashboard/actions/actionShown.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import type { Place, SectionName } from '../../views/dashboard/place.ts';
import { NOTHING, type WhatIf } from '../../views/dashboard/whatIf.ts';
import type { ViewNames } from '../../views/answer.ts';
import type { Characters } from '../screen/characters.ts';
import { FIRST_PAGE, type ListPage } from '../screen/listed.ts';

/** A place, and which part of it is shown. */
export interface Page extends ListPage {
  place: Place;
  /** the list below the first one that keys act on; absent: they act on the first one */
  section?: SectionName | undefined;
  /** how the other lists of the page were left */
  left?: Readonly<Partial<Record<SectionName | typeof FIRST, ListPage>>> | undefined;
}

/** The first list of a page, among several. */
export const FIRST = 'first';

/** The pages from the first to the one that is shown. */
export type Trail = readonly [Page, ...Page[]];

/** What is typed into the last line, and for what. */
export interface Input {
  /** `file`: of policies to apply; `confirm`: the answer to the question of an action */
  purpose: 'filter' | 'jump' | 'namespace' | 'taint' | 'file' | 'confirm';
  text: string;
  /** why it was not taken */
  problem?: string | undefined;
}

/** How a replay continues: its place in time (epoch milliseconds), and how many seconds pass in one. */
interface Playing {
  at: number;
  speed: number;
}

/** The state of a dashboard, apart from the data that it shows. */
export interface DashboardState {
  trail: Trail;
  /** trails that were shown before, the newest last; and trails to go forward to, the next one last */
  past: readonly Trail[];
  future: readonly Trail[];
  namespace?: string | undefined;
  /** what is marked to happen */
  marks: WhatIf;
  /** a replay that continues by itself */
  playing?: Playing | undefined;
  input?: Input | undefined;
  /** shown in the last line until the next key */
  note?: string | undefined;
  /** the words of the commands for what was looked at, each once, the newest last */
  commands: readonly (readonly string[])[];
}

/** The data that a dashboard shows. */
export interface DashboardView {
  feed: Feed;
  /** what was asked for, by `placeKey` */
  answers: ReadonlyMap<string, Answered>;
  /** the actions that were begun; absent: nothing may be changed from here */
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
  /** turns words that name no control plane into a command line that can be pasted into a shell */
  commandLine(words: readonly string[]): string;
}

/** A page as it looks when it is opened. */
export function pageOf(place: Place): Page {
  return { place, ...FIRST_PAGE };
}

/** The same trail with another page at its end. */
export function withPage(state: DashboardState, page: Page): DashboardState {
  const [first, ...rest] = state.trail;
  return { ...state, trail: rest.length === 0 ? [page] : [first, ...rest.slice(0, -1), page] };
}

/** A dashboard as it opens. */
export function firstState(
  place: Place = { view: 'clusters' },
  namespace?: string,
  marks: WhatIf = NOTHING,
): DashboardState {
  return { trail: [pageOf(place)], past: [], future: [], namespace, marks, commands: [] };
}

/** The page that is shown: the last one of the trail. */
export function pageShown({ trail }: DashboardState): Page {
  return trail.at(-1)!;
}

/** What a key asks of the owner of the terminal. */
export type Effect =
  | { type: 'quit'; interrupted?: true }
  | { type: 'suspend' }
  | { type: 'redraw' }
  /** puts a text into the clipboard of the terminal */
  | { type: 'copy'; text: string }
  /** carries out the plan of an action, to which somebody has just said yes; stops an action */
  | { type: 'confirm' | 'stop'; place: Extract<Place, { view: 'action' }> }
  /** lets somebody edit the policy at a place */
  | { type: 'edit'; place: Place };

/** What a key makes of the state. */
export interface Reduced {
  state: DashboardState;
  effect?: Effect | undefined;
}
