import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emptyFeed } from '../../../src/analysis/overview/feed.ts';
import { lineWidth } from '../../../src/presentation/text/spans.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { advanceReplay } from '../../../src/terminal/dashboard/reduce/replaying.ts';
import { firstState } from '../../../src/terminal/dashboard/state.ts';
import type { Key } from '../../../src/terminal/screen/keys.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { NO_CHANGES } from '../../../src/views/dashboard/whatIf.ts';
import { asciiCharacters, feedOf, viewOf } from './feeds.ts';
import { screenOf } from './screenOf.tsx';

const KEYS: Key[] = [
  ...[
    'up',
    'down',
    'pageUp',
    'pageDown',
    'home',
    'end',
    'enter',
    'escape',
    'backspace',
    'tab',
    'backTab',
  ].map((name) => ({ name }) as Key),
  ...[...'jkgG /:nN[]?ceyxqmMwrtWE>+-0123456789abc!~('].map((text) => ({ text })),
  { text: '🚀' },
  { text: '界' },
];
const sizes = fc.record({ columns: fc.integer({ min: 1, max: 220 }), rows: fc.integer({ min: 1, max: 70 }) });
const steps = fc.array(fc.tuple(fc.constantFrom(...KEYS), sizes), { maxLength: 60 });

test('for any keys on any screen size, the output has exactly as many lines as the screen, all within its width', async () => {
  const { feed: shop, source } = await feedOf('examples/shop');
  const { feed: incident } = await feedOf('examples/incident');
  const whatIf = { ...NO_CHANGES, failing: ['frankfurt'] };
  const answers: Answered[] = [
    { type: 'failed', why: 'It is no longer there.' },
    { type: 'text', lines: ['kind: Cluster', `a: ${'界'.repeat(300)}`], at: 1 },
    { type: 'blocks', blocks: [{ type: 'paragraph', words: 'word '.repeat(200) }] },
    { type: 'choices', choices: [{ key: 'a', words: 'a', opens: { view: 'failover' } }], none: 'none' },
  ];
  answers.push(await source.ask({ view: 'tomorrow', whatIf }));
  answers.push(await source.ask({ view: 'replay', whatIf }));
  const feeds = [shop, incident, emptyFeed];
  fc.assert(
    fc.property(steps, fc.nat(2), fc.nat(5), fc.boolean(), (keys, of, answer, ascii) => {
      const known = { get: () => answers[answer] } as unknown as ReadonlyMap<string, Answered>;
      let state = firstState();
      for (const [key, size] of keys) {
        const view = viewOf(feeds[of]!, size, {
          answers: known,
          ...(ascii && { characters: asciiCharacters }),
        });
        ({ state } = reduce(state, key, view));
        state = advanceReplay(state, 100, view);
        const lines = screenOf(state, view);
        expect(lines.length).toBe(size.rows);
        for (const { line } of lines) expect(lineWidth(line)).toBeLessThanOrEqual(size.columns);
      }
    }),
    { numRuns: 150 },
  );
});
