import { isExpected } from '../../../src/cli/errors.ts';
import { emptyFeed, withNews } from '../../../src/analysis/overview/feed.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import type { ActionRunner } from '../../../src/terminal/dashboard/actions/actions.ts';
import type { Editor } from '../../../src/terminal/dashboard/editing.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { placeKey } from '../../../src/views/dashboard/place.ts';
import { lineBlocks } from '../../../src/presentation/words.ts';
import { secretTexts, withCanaries } from '../canaries.ts';
import { hostileItems, hostileText, withTextsIn } from '../hostile.ts';
import { problemOf } from '../judge.ts';
import type { Random } from '../random.ts';
import { textOf } from '../workplace.ts';
import { nameOf } from './commandLine.ts';
import type { Make } from './fuzzCase.ts';

const KEYS = [
  '\r',
  '\u001b',
  'j',
  'j',
  'G',
  'y',
  'e',
  'c',
  '?',
  '\t',
  ':w\r',
  ':ev\r',
  ':f\r',
  ':wa\r',
  ':p\r',
  'a',
  'D',
  'X',
  '1',
  '[',
  'm',
  'w',
  'r',
  '>',
  'E',
  'tmaintenance=x:NoExecute\r',
  'C',
  'H',
  ':ac\r',
  '\ry\r',
  's',
];

/** The dashboard on a state with hostile text or secrets: each screen that some keys lead to, and each page of text. */
export const dashboard: Make = (random, place) => {
  const input = inputOf(random, place.world);
  const textFrom = () => (random.next() < 0.7 ? hostileText(random) : random.of(secretTexts));
  const keys = Array.from({ length: 12 }, () =>
    random.next() < 0.1 ? `${random.of(['/', 't', 'A', 'n'])}${hostileText(random)}\r` : random.of(KEYS),
  );
  /** the responses of actions and of an editor */
  const said = Array.from({ length: 4 }, textFrom);
  const size = { columns: random.of([20, 60, 80, 200]), rows: random.of([8, 15, 24, 60]) };
  return {
    kind: 'dashboards',
    command: nameOf(['dashboard']),
    input,
    given: `${size.columns} columns, ${size.rows} rows, keys ${JSON.stringify(keys)}`,
    async run(changed) {
      const path = place.file('input.json', changed);
      const shown: string[] = [];
      const output = { code: 0, stdout: '', stderr: '' };
      try {
        await show(path, keys, size, said, shown);
      } catch (error) {
        if (!isExpected(error)) throw error;
      }
      output.stdout = shown.join('\n');
      const given = [textOf(changed), ...keys, ...said].join(' ');
      return problemOf(output, { given, isTerminal: true, isRaw: false, isWrapped: true, written: [] });
    },
  };
};

function inputOf(random: Random, world: Parameters<typeof hostileItems>[0]) {
  if (random.next() < 0.4) return withCanaries(world);
  return random.next() < 0.6
    ? hostileItems(world, random)
    : withTextsIn(world, random, () => random.of(secretTexts));
}

async function show(
  path: string,
  keys: readonly string[],
  size: { columns: number; rows: number },
  said: readonly string[],
  shown: string[],
): Promise<void> {
  const [
    { feedInProcess: feedHere },
    { flagNames },
    { unicodeCharacters },
    { isAsked },
    { keysIn },
    { plainPage },
  ] = await Promise.all([
    import('../../../src/cli/dashboard/feedInProcess.ts'),
    import('../../../src/cli/flagNames.ts'),
    import('../../../src/terminal/screen/characters.ts'),
    import('../../../src/terminal/dashboard/answers.ts'),
    import('../../../src/terminal/screen/keys.ts'),
    import('../../../src/terminal/dashboard/runPlain.ts'),
  ]);
  const { reduce } = await import('../../../src/terminal/dashboard/reduce.ts');
  const { screenOf } = await import('../../terminal/dashboard/screenOf.tsx');
  const { firstState, pageShown } = await import('../../../src/terminal/dashboard/state.ts');
  const { createActions } = await import('../../../src/terminal/dashboard/actions/actions.ts');
  const { editPolicy } = await import('../../../src/terminal/dashboard/editing.ts');
  const source = feedHere({ state: [path] });
  const actions = createActions(actingIn(said), () => undefined);
  const begun = () => ({ known: actions.known(), next: actions.next() });
  let feed = emptyFeed;
  await source.follow((news) => (feed = withNews(feed, news, 0)));
  const answers = new Map<string, Answered>();
  const view = () => ({
    actions: begun(),
    feed,
    answers,
    now: feed.overview?.now ?? 0,
    ...size,
    characters: unicodeCharacters,
    names: flagNames,
    commandLine: (words: readonly string[]) => words.join(' '),
  });
  let state = firstState();
  for (const key of keys.flatMap((typed) => keysIn(typed, true).keys)) {
    const reduced = reduce(state, key, view());
    ({ state } = reduced);
    const { effect } = reduced;
    if (effect?.type === 'edit')
      state = (await editPolicy(effect.place, state, source, editorOf(said)))(state);
    if (effect?.type === 'confirm') actions.confirm(effect.place);
    if (effect?.type === 'stop') actions.stop(effect.place);
    const { place } = pageShown(state);
    actions.show(place);
    if (isAsked(place))
      answers.set(
        placeKey(place),
        await source.ask(place).catch((error: unknown) => ({
          type: 'failed' as const,
          why: error instanceof Error ? error.message : String(error),
        })),
      );
    shown.push(...screenOf(state, view()).map(({ line }) => lineText(line, colourStyle)));
    shown.push(...plainPage(state, view()));
  }
}

/** A user who edits a text once, and gives up if it is invalid. */
function editorOf([first = '', second = '']: readonly string[]): Editor {
  let texts = 0;
  return async (_name, text) =>
    texts++ === 0 ? { text: `${text}${first}: ${JSON.stringify(second)}\n` } : { why: second };
}

/** Actions whose control plane, plans and results contain these texts. */
function actingIn([first = '', second = '', third = '', fourth = '']: readonly string[]): ActionRunner {
  return {
    begin(_action, notify) {
      notify({ type: 'read', context: first, server: second, now: 0 });
      notify({ type: 'plan', blocks: lineBlocks([third]), question: fourth, changes: [first] });
      return {
        confirm() {
          notify({ type: 'begun' });
          notify({ type: 'said', words: second });
        },
        stop: () =>
          notify({
            type: 'ended',
            outcome: 'not-finished',
            blocks: lineBlocks([third]),
            next: [[fourth, [first]]],
          }),
        kill: () => undefined,
      };
    },
  };
}
