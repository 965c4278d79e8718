import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { Feed } from '../../analysis/overview/feed.ts';
import { isInTrouble, type WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import { isObject } from '../../kubernetes/json.ts';
import { plain } from '../../presentation/words.ts';
import type { Answered, Choice } from '../../views/dashboard/answered.ts';
import { atRiskList, contingencyList } from '../../views/dashboard/lists/audit.ts';
import { findingList, uncheckedList } from '../../views/dashboard/lists/findings.ts';
import { outcomeList } from '../../views/dashboard/lists/outcomes.ts';
import { stepList } from '../../views/dashboard/lists/steps.ts';
import type { AnyList, List, ListContext } from '../../views/dashboard/list.ts';
import { isList, listOf, DASHBOARD_LISTS } from '../../views/dashboard/lists.ts';
import { placeKey, type ListName, type Place, type SectionName } from '../../views/dashboard/place.ts';
import { startedActions, offeredOn } from './actions/actionChoices.ts';
import {
  FIRST_PAGE,
  itemAt,
  cachedItems,
  shownItems,
  type ShownList as ListedOn,
  type ListPage,
} from '../screen/listed.ts';
import { FIRST_LIST, pageShown, type DashboardState, type DashboardView, type Page } from './state.ts';

export type ShownDashboardList = ListedOn<AnyList>;

/** The page of commands, or the evidence of an explanation, as a list. */
function choicesOn(
  state: DashboardState,
  view: DashboardView,
): { choices: readonly Choice[]; none: string } | undefined {
  const { place } = pageShown(state);
  if (place.view === 'commands') return { choices: commandsOf(state, view), none: 'No pages visited yet.' };
  if (place.view === 'warnings')
    return { choices: warningsOf(view.feed.warnings), none: 'There are no warnings.' };
  if (place.view === 'choose')
    return { choices: offeredOn(place.of, view), none: 'No action is possible now.' };
  if (place.view === 'actions') return { choices: startedActions(view), none: 'No action was started here.' };
  const answer = view.answers.get(placeKey(place));
  return answer?.type === 'choices' ? answer : undefined;
}

/** Commands for the visited pages, newest first; before them those on the page where `c` was pressed. */
function commandsOf({ commands, trail }: DashboardState, view: DashboardView): readonly Choice[] {
  const from = trail.at(-2);
  const answer = from && view.answers.get(placeKey(from.place));
  // kubectl's own commands: they need the same control plane
  const connection = view.commandLine(['kubectl']).slice('kubectl'.length);
  const said = answer?.type === 'blocks' ? commandsIn(answer.blocks) : [];
  return cachedItems(commands, `commands ${from ? placeKey(from.place) : ''} ${said.length}`, () =>
    [
      ...new Set([...said.map((line) => line + connection), ...commands.toReversed().map(view.commandLine)]),
    ].map((line): Choice => ({ key: line, words: line })),
  ) as readonly Choice[];
}

/** The kubectl commands that blocks name, in their order. */
function commandsIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(commandsIn);
  if (!isObject(part)) return [];
  if (part.type === 'command' && typeof part.text === 'string')
    return part.text.startsWith('kubectl ') ? [part.text] : [];
  return Object.values(part).flatMap(commandsIn);
}

function warningsOf(warnings: readonly string[]): readonly Choice[] {
  return cachedItems(warnings, 'warnings', () =>
    warnings.toReversed().map((words, index): Choice => ({ key: String(warnings.length - index), words })),
  ) as readonly Choice[];
}

const CHOICES: List<Choice> = {
  name: 'events',
  one: 'line',
  none: '',
  items: () => [],
  key: ({ key }) => key,
  opens: ({ opens }) => opens,
  text: ({ words }) => plain(words),
  wraps: true,
  columns: [{ name: '', words: ({ words }) => words, order: ({ words }) => plain(words), least: 10 }],
};

type Simulated = Pick<ShownDashboardList, 'list' | 'items'>;

const simulatedAnswers = new WeakMap<Answered, Simulated>();

/** The result of a simulation, an audit or checks, as a list. */
function simulatedOn(place: Place, view: DashboardView): Simulated | undefined {
  const answer = view.answers.get(placeKey(place));
  const found = answer && (simulatedAnswers.get(answer) ?? simulatedIn(answer));
  if (found) simulatedAnswers.set(answer, found);
  return found;
}

function simulatedIn(answer: Answered): Simulated | undefined {
  switch (answer.type) {
    case 'outcomes':
      return { list: outcomeList(answer.whatIf), items: answer.outcomes };
    case 'steps':
      return { list: stepList(answer), items: answer.steps };
    case 'audit':
      return { list: contingencyList(answer), items: answer.contingencies };
    case 'findings':
      return { list: findingList, items: answer.findings };
    default:
      return undefined;
  }
}

/** A list on a page below its first one. */
export interface Section {
  name: SectionName;
  title: string;
  view?: ListName | undefined;
  /** whether it keeps its rows, however long the first list is */
  urgent: boolean;
  listed: ShownDashboardList;
}

/** Whether other lists appear below the current one: on the first screen, which shows what matters now. */
export function hasOverviewLists(state: DashboardState): boolean {
  return pageShown(state).place.view === 'clusters' && state.trail.length === 1;
}

/** The non-empty lists below a page's first one, in their order. */
export function sectionsOn(state: DashboardState, view: DashboardView): Section[] {
  const page = pageShown(state);
  const answer = view.answers.get(placeKey(page.place));
  if (answer?.type === 'audit')
    return sectionIn(['at-risk', 'workloads at risk'], atRiskList, answer.atRisk, state, view);
  if (answer?.type === 'findings')
    return sectionIn(['not-checked', 'not checked'], uncheckedList, answer.unchecked, state, view);
  if (!hasOverviewLists(state)) return [];
  return GLANCED.flatMap((name): Section | [] => {
    const list = DASHBOARD_LISTS[name];
    const all = itemsOf(list, state, view);
    if (all.length === 0) return [];
    const isShort = name === 'workloads';
    const own = isShort
      ? cachedItems(all, 'in trouble', () => all.filter((one) => isInTrouble(one as WorkloadSummary)))
      : all;
    if (own.length === 0) return [];
    const items = shownItems(list, own, pageOfList(page, name), contextOf(state, view));
    return {
      name,
      view: name,
      urgent: name !== 'events',
      title: isShort ? 'workloads in trouble' : name,
      listed: { list, items, all: own },
    };
  });
}

function sectionIn(
  [name, title]: readonly [SectionName, string],
  list: AnyList,
  items: readonly unknown[],
  state: DashboardState,
  view: DashboardView,
): Section[] {
  if (items.length === 0) return [];
  const all = inNamespace(list, items, state.namespace);
  const shown = shownItems(list, all, pageOfList(pageShown(state), name), contextOf(state, view));
  return [{ name, title, urgent: true, listed: { list, items: shown, all } }];
}

/** The lists below the clusters on the first screen. */
const GLANCED = ['drains', 'evictions', 'workloads', 'events'] as const;

/** The list below the first one that keys act on; undefined if they act on the first one. */
export function sectionChosen(state: DashboardState, view: DashboardView): Section | undefined {
  const { section } = pageShown(state);
  return section && sectionsOn(state, view).find(({ name }) => name === section);
}

/** The target of keys: the page's view, or the name of the list below the first one. */
export function viewChosen(state: DashboardState, view: DashboardView): Place['view'] | SectionName {
  return sectionChosen(state, view)?.name ?? pageShown(state).place.view;
}

/** The list that keys act on; undefined if the page shows a text. */
export function listedOn(state: DashboardState, view: DashboardView): ShownDashboardList | undefined {
  return sectionChosen(state, view)?.listed ?? firstListedOn(state, view);
}

/** The first list of the shown page; undefined if it shows a text. */
export function firstListedOn(state: DashboardState, view: DashboardView): ShownDashboardList | undefined {
  const { place } = pageShown(state);
  const list = listOf(place);
  if (list && isList(place)) {
    const all = unplacedOf(allOf(list, view.feed, place.cluster), place, view);
    return listedIn(list, all, state, view);
  }
  const simulated = simulatedOn(place, view);
  if (simulated) return listedIn(simulated.list, simulated.items, state, view);
  const found = choicesOn(state, view);
  return found && listedIn({ ...CHOICES, none: found.none }, found.choices, state, view);
}

/** The state of the first list on the current page. */
export function firstPageOf(state: DashboardState, view: DashboardView): ListPage {
  const page = pageShown(state);
  return sectionChosen(state, view) ? pageOfList(page, FIRST_LIST) : page;
}

/** The state of a page's list: the one that keys act on, or as another was left. */
export function pageOfList(page: Page, name: SectionName | typeof FIRST_LIST): ListPage {
  return name === (page.section ?? FIRST_LIST) ? page : (page.left?.[name] ?? FIRST_PAGE);
}

/** The unfiltered items of a list in the selected namespace. */
function itemsOf(
  list: AnyList,
  { namespace }: Pick<DashboardState, 'namespace'>,
  { feed }: DashboardView,
): readonly unknown[] {
  return inNamespace(list, allOf(list, feed), namespace);
}

/** Only unschedulable workloads with a given reason, if the place requires that. */
function unplacedOf(
  items: readonly unknown[],
  { unplaced }: Extract<Place, { view: ListName }>,
  { feed: { events } }: DashboardView,
): readonly unknown[] {
  if (unplaced === undefined) return items;
  const found = events.find((one) => one.type === 'unplaced' && one.reason === unplaced);
  const keys = new Set(found?.type === 'unplaced' ? found.keys : []);
  return cachedItems(items, `unplaced ${found?.id ?? ''} ${keys.size}`, () =>
    items.filter((item) => keys.has((item as WorkloadSummary).key)),
  );
}

/** The text of an empty list: with a selected namespace, its name, and the key that shows all of them. */
export function emptyListText(
  { namespace, none }: AnyList,
  state: Pick<DashboardState, 'namespace'>,
  shownBy: string,
): string {
  if (!namespace || state.namespace === undefined) return none;
  return `${none.replace(/\.$/, '')} in namespace ${state.namespace}; ${shownBy}.`;
}

/** The input for a list's cells. */
export function contextOf(
  { marks }: Pick<DashboardState, 'marks'>,
  { feed, now, characters: { bar } }: DashboardView,
): ListContext {
  return { feed, now, marks, bar };
}

const itemsOfFeeds = new WeakMap<Feed, Map<string, readonly unknown[]>>();

function allOf(list: AnyList, feed: Feed, cluster?: string): readonly unknown[] {
  let ofFeed = itemsOfFeeds.get(feed);
  if (!ofFeed) itemsOfFeeds.set(feed, (ofFeed = new Map()));
  return getOrAdd(ofFeed, `${list.name} ${cluster ?? ''}`, () => [...list.items(feed, cluster)]);
}

function inNamespace(list: AnyList, items: readonly unknown[], namespace: string | undefined) {
  if (namespace === undefined || !list.namespace) return items;
  return cachedItems(items, `namespace ${namespace}`, () =>
    items.filter((item) => list.namespace!(item) === namespace),
  );
}

/** The items in the selected namespace that the page shows. */
function listedIn(
  list: AnyList,
  items: readonly unknown[],
  state: DashboardState,
  view: DashboardView,
): ShownDashboardList {
  const all = inNamespace(list, items, state.namespace);
  return { list, items: shownItems(list, all, firstPageOf(state, view), contextOf(state, view)), all };
}

/** The item that keys act on; undefined if the list is empty. */
export function itemChosen(listed: ShownDashboardList, state: DashboardState): unknown {
  return itemAt(listed, pageShown(state));
}

/** The object behind the selected item, or what it opens; otherwise the page itself. */
export function placeChosen(state: DashboardState, view: DashboardView): Place {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const item = listed && itemChosen(listed, state);
  if (item === undefined) return place;
  return listed?.list.object?.(item) ?? listed?.list.opens(item) ?? place;
}
