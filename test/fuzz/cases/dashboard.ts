import { isExpected } from '../../../src/cli/errors.ts';
import { emptyFeed, withNews } from '../../../src/engine/overview/feed.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { placeKey } from '../../../src/views/dashboard/place.ts';
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
];

/** The dashboard on a state with something hostile or secret in it: each screen that some keys lead to, and each page of text. */
export const dashboard: Make = (random, place) => {
  const input = inputOf(random, place.world);
  const keys = Array.from({ length: 12 }, () =>
    random.next() < 0.1 ? `/${hostileText(random)}\r` : random.of(KEYS),
  );
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
        await show(path, keys, size, shown);
      } catch (error) {
        if (!isExpected(error)) throw error;
      }
      output.stdout = shown.join('\n');
      const given = [textOf(changed), ...keys].join(' ');
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
  shown: string[],
): Promise<void> {
  const [{ feedHere }, { flagNames }, { unicodeCharacters }, { isAsked }, { keysIn }, { plainPage }] =
    await Promise.all([
      import('../../../src/cli/dashboard/feedHere.ts'),
      import('../../../src/cli/flagNames.ts'),
      import('../../../src/terminal/screen/characters.ts'),
      import('../../../src/terminal/dashboard/answers.ts'),
      import('../../../src/terminal/screen/keys.ts'),
      import('../../../src/terminal/dashboard/plainPage.ts'),
    ]);
  const { reduce } = await import('../../../src/terminal/dashboard/reduce.ts');
  const { screenOf } = await import('../../../src/terminal/dashboard/screen.ts');
  const { firstState, pageShown } = await import('../../../src/terminal/dashboard/state.ts');
  const source = feedHere({ state: [path] });
  let feed = emptyFeed;
  await source.follow((news) => (feed = withNews(feed, news, 0)));
  const answers = new Map<string, Answered>();
  const view = {
    ...{ feed, answers, now: feed.overview?.now ?? 0, ...size },
    ...{ characters: unicodeCharacters, names: flagNames },
    commandLine: (words: readonly string[]) => words.join(' '),
  };
  let state = firstState();
  for (const key of keys.flatMap((typed) => keysIn(typed, true).keys)) {
    ({ state } = reduce(state, key, view));
    const { place } = pageShown(state);
    if (isAsked(place))
      answers.set(
        placeKey(place),
        await source.ask(place).catch((error: unknown) => ({
          type: 'failed' as const,
          why: error instanceof Error ? error.message : String(error),
        })),
      );
    shown.push(...screenOf(state, view).map(({ line }) => lineText(line, colourStyle)));
    shown.push(...plainPage(state, view));
  }
}
