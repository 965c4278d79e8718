import type { ReactNode } from 'react';
import { forecastOutcomes } from '../../views/dashboard/lists/outcomes.ts';
import { emptyFeed, withNews } from '../../analysis/overview/feed.ts';
import { actionTitle, type Action } from '../../views/dashboard/actions/action.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { placeKey, type Place } from '../../views/dashboard/place.ts';
import type { ViewNames } from '../../views/answer.ts';
import { endAsHangUp, EXIT_INTERRUPTED } from '../interrupt.ts';
import { printNote } from '../messages.ts';
import { commandOfAction } from './commandShown.ts';
import { anyMayStillWrite } from './actions/actionLines.ts';
import { type ActionRunner, createActions } from './actions/actions.ts';
import { createAnswers, type DashboardFeed } from './answers.ts';
import type { Characters } from '../screen/characters.ts';
import { editPolicy, type Editor } from './editing.ts';
import type { Key } from '../screen/keys.ts';
import { textsAhead } from '../screen/listed.ts';
import { openTerminalScreen, type ScreenTerminal } from '../screen/terminalScreen.tsx';
import { contextOf, listedOn } from './items.ts';
import { reduce } from './reduce.ts';
import { type Effect, pageShown, withPage, type DashboardState, type DashboardView } from './state.ts';
import { advanceReplay } from './reduce/replaying.ts';
import { textRows } from './pageLayout.ts';
import { markedLine } from './textOnPage.ts';
import { DashboardScreen } from './DashboardScreen.tsx';

interface DashboardOptions extends ScreenTerminal {
  characters: Characters;
  feed: DashboardFeed;
  /** absent: the dashboard is read-only */
  runner?: ActionRunner | undefined;
  first: DashboardState;
  names: ViewNames;
  commandLine(words: readonly string[]): string;
  /** edits a text on the terminal, which is free meanwhile */
  editor: Editor;
}

/** Milliseconds between clock updates. */
const TICK = 1000;
/** Milliseconds between two frames of a replay. */
const STEP = 100;

/** Shows a dashboard on a terminal until the user quits; resolves with the exit code. */
export async function runDashboard(options: DashboardOptions): Promise<number> {
  const { stdin, stdout, style, coloured, feed: source } = options;
  let state = options.first;
  let feed = emptyFeed;
  let end: (exitCode: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const answers = createAnswers((place) => source.ask(place), arrived);
  const actions = options.runner && createActions(options.runner, () => drawSoon());

  const screen = await openTerminalScreen({
    stdin,
    stdout,
    style,
    coloured,
    press,
    screen: shown,
    ahead,
    onEnd: end,
    // running actions end after the current write
    onHangUp() {
      if (!actions) return endAsHangUp();
      process.on('exit', endAsHangUp);
      void actions.close().then(sayUnfinished).finally(endAsHangUp);
    },
  });
  const { size, draw, redraw, drawSoon } = screen;

  function view(): DashboardView {
    const { overview, source: from, cameAt } = feed;
    const now = (overview?.now ?? Date.now()) + (overview && from?.live ? Date.now() - cameAt : 0);
    const { characters, names, commandLine } = options;
    const begun = actions && { known: actions.known(), next: actions.next() };
    return { feed, answers: answers.known, actions: begun, now, ...size(), characters, names, commandLine };
  }
  function shown(): ReactNode {
    const { place } = pageShown(state);
    answers.want(place, feed.overview, earlyAnswer);
    if (feed.source?.live) actions?.show(place);
    return <DashboardScreen state={state} view={view()} />;
  }
  function earlyAnswer(place: Place): Answered | undefined {
    const early = place.view === 'tomorrow' ? forecastOutcomes(place.whatIf, feed) : undefined;
    return early && { type: 'outcomes', ...early };
  }
  function* ahead(): Generator<void> {
    const known = view();
    const listed = listedOn(state, known);
    if (listed) yield* textsAhead(listed, contextOf(state, known));
  }
  /** A text opens near the requested line. */
  function arrived(place: Place, answer: Answered): void {
    const page = pageShown(state);
    const at = markedLine(answer, size().columns);
    if (at !== undefined && page.line === 0 && placeKey(page.place) === placeKey(place)) {
      const line = Math.max(0, at - Math.floor(textRows(size()) / 3));
      state = withPage(state, { ...page, line });
    }
    drawSoon();
  }

  let isLeaving = false;
  let atOnce = false;
  /** Running actions end after the current write; a second request quits at once. */
  function leave(exitCode: number): void {
    atOnce = isLeaving;
    isLeaving = true;
    if (atOnce || !anyMayStillWrite(view().actions)) return end(exitCode);
    state = { ...state, note: 'Stopping the running actions after the current write. Again: leave at once.' };
    void actions?.close().then(() => end(exitCode));
  }

  /** On stderr, which may be a file if the terminal is gone. */
  function sayUnfinished(open: readonly Action[]): void {
    for (const action of open) {
      const again = options.commandLine(commandOfAction(action, true) ?? []);
      printNote(`Not finished: ${actionTitle(action)}. To resume: ${again}`);
    }
  }

  function obey(effect: Effect): void {
    switch (effect.type) {
      case 'quit':
        return leave(effect.interrupted ? EXIT_INTERRUPTED : 0);
      case 'confirm':
        return actions?.confirm(effect.place);
      case 'stop':
        return actions?.stop(effect.place);
      case 'suspend':
        return screen.suspend();
      case 'redraw':
        return redraw();
      case 'edit':
        return edit(effect.place);
      case 'copy':
        return screen.copy(effect.text);
    }
  }
  let isEditing = false;
  function edit(place: Place): void {
    if (isEditing) return;
    isEditing = true;
    const editor: Editor = (name, text) => screen.lend(() => options.editor(name, text));
    void editPolicy(place, state, source, editor)
      .catch((error: unknown) => (before: DashboardState): DashboardState => ({
        ...before,
        note: error instanceof Error ? error.message : String(error),
      }))
      .then((edited) => {
        isEditing = false;
        state = edited(state);
        draw();
      });
  }
  function press(keys: readonly Key[]): void {
    const before = state;
    for (const key of keys) {
      const reduced = reduce(state, key, view());
      state = reduced.state;
      if (reduced.effect) obey(reduced.effect);
    }
    if (state !== before) draw();
  }
  const tick = setInterval(() => feed.source?.live && draw(), TICK);
  const play = setInterval(() => {
    if (!state.playing) return;
    state = advanceReplay(state, STEP, view());
    draw();
  }, STEP);
  try {
    draw();
    const following = source.follow((news) => {
      feed = withNews(feed, news, Date.now());
      drawSoon();
    });
    return await Promise.race([ended, following.then(() => ended)]);
  } finally {
    clearInterval(tick);
    clearInterval(play);
    screen.close();
    source.close();
    sayUnfinished((await (atOnce ? actions?.kill() : actions?.close())) ?? []);
  }
}
