import { unverified } from '../../../karmada/configuration/assumptions.ts';
import type { Block, Words } from '../../../presentation/model.ts';
import { concatenated, cutAtEnd, lineWidth, wordsLine, type Line } from '../../../presentation/text/spans.ts';
import { wrapLine } from '../../../presentation/text/wrapped.ts';
import { asBad, asFaint, asGood, asStrong, asWarning } from '../../../presentation/words.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import { actionTitle, type Action } from '../../../views/dashboard/actions/action.ts';
import {
  type ActionResult,
  mayStillWrite,
  type ActionShown,
} from '../../../views/dashboard/actions/actionShown.ts';
import { placeKey, type Place } from '../../../views/dashboard/place.ts';
import { duration } from '../../../views/words/duration.ts';
import { plural } from '../../../views/words/amounts.ts';
import { drainHead, inFlightLines } from '../../drain/drainHead.ts';
import { commandOfAction } from '../commandShown.ts';
import { pageShown, type DashboardState, type DashboardView } from '../state.ts';
import { linesOf, type ScreenRow } from '../../screen/screenLine.ts';

type ActionPlace = Extract<Place, { view: 'action' }>;

/** The rows of an action's page: its target, its progress, its plan, its results. */
export function actionRows(place: ActionPlace, view: DashboardView): readonly ScreenRow[] {
  const { columns, actions } = view;
  const paragraph = (words: Words) => wrapLine(wordsLine(words), columns);
  const title = actionTitle(place.action);
  const shown = actions?.known.get(placeKey(place));
  if (!actions) return [...paragraph(asStrong(title)), [], ...whyNot(place.action, view).flatMap(paragraph)];
  if (!shown)
    return [
      ...paragraph(asStrong(title)),
      [],
      ...paragraph('This plan was discarded. Choose the action again.'),
    ];
  const parts: readonly (readonly ScreenRow[])[] = [
    [...paragraph([asStrong(title), ...placeWords(shown)]), ...paragraph(stageWords(shown, view))],
    changedLines(shown).flatMap(paragraph),
    shown.result ? linesOf(shown.result.blocks, columns) : [],
    nextLines(shown.result, view).flatMap((block) => linesOf([block], columns)),
    progressRows(shown, view),
    shown.log.flatMap(paragraph),
    shown.plan ? linesOf(shown.plan.blocks, columns) : [],
  ];
  return parts.filter((rows) => rows.length > 0).flatMap((rows, at) => (at === 0 ? rows : [[], ...rows]));
}

/** Why a dashboard cannot do it, and the command that can. */
function whyNot(action: Action, { feed }: DashboardView): Words[] {
  const live = feed.source?.live ?? false;
  if (!live) {
    const shows = commandOfAction(action, false) ? ' The command below shows what it would do.' : '';
    return [`No action is possible here: this is a captured state, not a live control plane.${shows}`];
  }
  return [
    'The dashboard changes nothing: it was opened without --allow-actions.',
    'The command below does it; x copies it. Or leave, and open the dashboard with --allow-actions.',
  ];
}

function placeWords({ from }: ActionShown): Words[] {
  if (!from) return [];
  const context = from.context === undefined ? '' : `context ${from.context}, `;
  return [' on ', asWarning(`${context}${from.server}`)];
}

function stageWords({ stage, from, doing, result }: ActionShown, view: DashboardView): Words {
  switch (stage) {
    case 'planning':
      return asFaint(`Reading and planning; nothing is changed${doing === undefined ? '...' : `: ${doing}`}`);
    case 'planned': {
      const read = from ? ` Read at ${rfc3339(from.now).slice(11)}, ${ageText(from.now, view)} ago.` : '';
      return [asWarning('Nothing is done yet.'), ` This is the plan.${read} Enter asks for confirmation.`];
    }
    case 'confirmed':
      return asWarning(
        `Reading again before anything is written${doing === undefined ? '...' : `: ${doing}`}`,
      );
    case 'working':
      return [
        asWarning('Running.'),
        ' s stops it after the current write; Esc leaves this page, the action continues.',
      ];
    case 'stopping':
      return asWarning('Stopping after the current write...');
    case 'ended':
      return ENDS[result!.outcome];
  }
}

const ENDS: Readonly<Record<ActionResult['outcome'], Words>> = {
  done: asGood('Done.'),
  nothing: asFaint('Nothing was done.'),
  refused: asBad('Refused: nothing was written.'),
  'not-finished': asBad('Not finished.'),
  failed: asBad('It failed.'),
};

function ageText(since: number, { now }: DashboardView): string {
  return duration(Math.max(0, now - since));
}

function changedLines({ stage, plan }: ActionShown): Words[] {
  const { changes = [] } = plan ?? {};
  if (stage !== 'planned' || changes.length === 0) return [];
  return [
    asBad('The state has changed since you confirmed. Nothing was written; this is the new plan:'),
    ...changes.slice(0, MAX_CHANGES),
    ...(changes.length > MAX_CHANGES ? [`and ${changes.length - MAX_CHANGES} more`] : []),
  ];
}

const MAX_CHANGES = 10;

/** Commands that continue, undo, or accept a refusal. */
function nextLines(result: ActionResult | undefined, { commandLine }: DashboardView): Block[] {
  return (result?.next ?? []).flatMap(([what, words]): Block[] => [
    { type: 'paragraph', words: `${what}:` },
    { type: 'command', text: commandLine(words) },
  ]);
}

/** A drain in progress, as the command shows it. */
function progressRows({ stage, drain, plan }: ActionShown, view: DashboardView): ScreenRow[] {
  if (!drain || (stage !== 'working' && stage !== 'stopping')) return [];
  const { progress, times } = drain;
  const { columns, rows, characters, feed } = view;
  const now = Math.max(progress.now, view.now);
  const timeoutAssumed = unverified(feed.source?.assumptions ?? []).has('graceful-eviction-timeout');
  const shown = { progress: { ...progress, now }, times, columns, characters, timeoutAssumed };
  return [
    ...drainHead({ ...shown, departure: plan?.departure, state: 'going' }),
    ...inFlightLines(shown, Math.max(3, rows - ROWS_AROUND)),
  ];
}

/** Rows that the page and the screen need besides the workloads that a drain waits for. */
const ROWS_AROUND = 14;

/** "context karmada: Drain frankfurt? 5 workloads are evicted. [y/N] y": the question is cut if it is long. */
export function confirmationLine(place: Place, typed: string, view: DashboardView): Line {
  const shown = view.actions?.known.get(placeKey(place));
  const { context, server = '' } = shown?.from ?? {};
  const on = `${context === undefined ? server : `context ${context}`}: `;
  const end = wordsLine(` [y/N] ${typed}${view.characters.cursor}`);
  const question = wordsLine([asStrong(on), shown?.plan?.question ?? '']);
  return concatenated(cutAtEnd(question, Math.max(0, view.columns - lineWidth(end))), end);
}

/** The keys of an action's page; undefined on other pages. */
export function actionHints(state: DashboardState, view: DashboardView): string[] | undefined {
  const { place } = pageShown(state);
  if (place.view !== 'action') return undefined;
  const shown = view.actions?.known.get(placeKey(place));
  const own =
    shown?.stage === 'planned'
      ? ['Enter confirm']
      : shown && mayStillWrite(shown) && shown.stage !== 'stopping'
        ? ['s stop']
        : [];
  return [...own, 'PgDn more', 'Esc back', 'x copy', ': view'];
}

/** "2 actions at work · ": actions in progress, even if their pages are not visible. */
export function runningActionWords({ actions }: DashboardView, between: string): Words {
  const count = atWork(actions).length;
  return count === 0 ? '' : [asWarning(`${plural(count, 'action')} running`), between];
}

/** Whether an action may still write. */
export function anyMayStillWrite(actions: DashboardView['actions']): boolean {
  return atWork(actions).length > 0;
}

function atWork(actions: DashboardView['actions']): ActionShown[] {
  return [...(actions?.known.values() ?? [])].filter(mayStillWrite);
}
