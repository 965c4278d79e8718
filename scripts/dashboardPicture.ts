// npm run picture: writes docs/dashboard.svg, the dashboard on the bundled incident, one screen after another. With --print it writes to
// stdout; a test compares that with the committed picture.
import { writeFileSync } from 'node:fs';
import { createElement } from 'react';
import { commandLineOf } from '../src/cli/dashboard/commandLineOf.ts';
import { feedInProcess } from '../src/cli/dashboard/feedInProcess.ts';
import { flagNames } from '../src/cli/flagNames.ts';
import { emptyFeed, withNews } from '../src/analysis/overview/feed.ts';
import type { Tone } from '../src/presentation/model.ts';
import type { Span } from '../src/presentation/text/spans.ts';
import { isAsked } from '../src/terminal/dashboard/answers.ts';
import { unicodeCharacters } from '../src/terminal/screen/characters.ts';
import { keysIn } from '../src/terminal/screen/keys.ts';
import { reduce } from '../src/terminal/dashboard/reduce.ts';
import { DashboardScreen } from '../src/terminal/dashboard/DashboardScreen.tsx';
import { openLayout } from '../src/terminal/screen/layout.tsx';
import type { ScreenLine } from '../src/terminal/screen/screenLine.ts';
import { firstState, pageShown } from '../src/terminal/dashboard/state.ts';
import type { Answered } from '../src/views/dashboard/answered.ts';
import { placeKey } from '../src/views/dashboard/place.ts';

const STATE = 'examples/incident';
const SIZE = { columns: 112, rows: 24 };
/** The keys before each screen, and how many seconds it is shown. */
const SCREENS = ['', ':evictions\r', '\r', ':workloads\r', '/ledger\r\r', ':clusters\r/virginia\rmw', 'r>>>'];
const SECONDS = 4;

const FONT = { width: 8.4, height: 18, size: 14 };
const MARGIN = 14;
const COLOURS: Record<Tone | 'text', string> = {
  text: '#d8dee9',
  good: '#8fbf6a',
  bad: '#e06c75',
  warn: '#e5c07b',
  faint: '#7f8a9c',
  strong: '#ffffff',
};
const BACK = '#1b1f27';
const CHOSEN = '#39445a';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function spanText(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  const weight = span.tone === 'strong' ? ' font-weight="bold"' : '';
  return `<tspan fill="${COLOURS[span.tone]}"${weight}>${escaped(span.text)}</tspan>`;
}

function screenGroup(lines: readonly ScreenLine[], index: number): string {
  const rows = lines.flatMap(({ line, chosen }, row) => {
    const top = MARGIN + row * FONT.height;
    const mark = chosen
      ? [
          `<rect x="${MARGIN}" y="${top}" width="${SIZE.columns * FONT.width}" height="${FONT.height}" fill="${CHOSEN}"/>`,
        ]
      : [];
    const text = line.map(spanText).join('');
    return text.trim() === '' ? mark : [...mark, `<text x="${MARGIN}" y="${top + 14}">${text}</text>`];
  });
  return `<g class="s" style="animation-delay:${index * SECONDS}s">\n${rows.join('\n')}\n</g>`;
}

async function screens(): Promise<ScreenLine[][]> {
  const source = feedInProcess({ state: [STATE] });
  let feed = emptyFeed;
  await source.follow((news) => (feed = withNews(feed, news, 0)));
  const answers = new Map<string, Answered>();
  const view = {
    ...{ feed, answers, now: feed.overview!.now, ...SIZE },
    ...{ characters: unicodeCharacters, names: flagNames, commandLine: commandLineOf({ state: [STATE] }) },
  };
  let state = firstState();
  const drawn: ScreenLine[][] = [];
  const layout = openLayout();
  for (const keys of SCREENS) {
    for (const key of keysIn(keys, true).keys) {
      ({ state } = reduce(state, key, view));
      const { place } = pageShown(state);
      if (isAsked(place) && !answers.has(placeKey(place)))
        answers.set(placeKey(place), await source.ask(place));
    }
    drawn.push(layout.lines(createElement(DashboardScreen, { state, view }), SIZE));
  }
  layout.close();
  return drawn;
}

const drawn = await screens();
const width = Math.ceil(SIZE.columns * FONT.width + 2 * MARGIN);
const height = SIZE.rows * FONT.height + 2 * MARGIN;
const total = drawn.length * SECONDS;
const share = 100 / drawn.length;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The dashboard on an incident">
<style>
text { font: ${FONT.size}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: ${COLOURS.text}; white-space: pre; }
.s { opacity: 0; animation: show ${total}s infinite steps(1, end); }
@keyframes show { 0% { opacity: 1; } ${share.toFixed(3)}% { opacity: 0; } 100% { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .s { animation: none; } .s:nth-of-type(2) { opacity: 1; } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="${BACK}"/>
${drawn.map(screenGroup).join('\n')}
</svg>
`;
if (process.argv.includes('--print')) process.stdout.write(svg);
else writeFileSync('docs/dashboard.svg', svg);
