// Measures keys on the dashboard of a state: prints Measured as JSON.
import { createElement } from 'react';
import { Box, render, Text } from 'ink';
import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { flagNames } from '../../src/cli/flagNames.ts';
import { unverified } from '../../src/karmada/configuration/assumptions.ts';
import { overviewOf } from '../../src/analysis/overview/overview.ts';
import { emptyFeed, type Feed, type FeedNews, withNews } from '../../src/analysis/overview/feed.ts';
import type { ClusterForecast, WorkloadVerdict } from '../../src/analysis/forecast/losses.ts';
import { colourStyle } from '../../src/presentation/text/style.ts';
import { stateRequest } from '../../src/cli/stateRequest.ts';
import { openStateToRead } from '../../src/useCases/state/openState.ts';
import { failoverSwitches } from '../../src/useCases/status/failoverStatus.ts';
import { unicodeCharacters } from '../../src/terminal/screen/characters.ts';
import { openLayout } from '../../src/terminal/screen/layout.tsx';
import { keysIn } from '../../src/terminal/screen/keys.ts';
import { textsAhead } from '../../src/terminal/screen/listed.ts';
import { contextOf, listedOn } from '../../src/terminal/dashboard/items.ts';
import { reduce } from '../../src/terminal/dashboard/reduce.ts';
import { DashboardScreen } from '../../src/terminal/dashboard/DashboardScreen.tsx';
import { screenTexts } from '../../src/terminal/screen/screenLine.ts';
import { firstState } from '../../src/terminal/dashboard/state.ts';
import { createCellWriter } from '../../src/terminal/screen/cellWriter.ts';

export interface Measured {
  /**
   * for each kind of key: milliseconds of CPU (all that a key waits for on an idle machine) and bytes; and what Ink adds to both if it
   * measures and paints the texts
   */
  keys: { name: string; median: number; slowest: number; bytes: number; ink: number; inkBytes: number }[];
  /** milliseconds of CPU to draw a second in which only the clock changes */
  idle: number;
  /** bytes of a whole screen */
  whole: number;
}

const OUTCOMES = ['moves', 'partly-moves', 'stays'] as const;
/** How many pieces a forecast arrives in. */
const PIECES = 20;

const [file, columns, rows] = process.argv.slice(2);
const size = { columns: Number(columns), rows: Number(rows) };

let feed = await feedOf(file!);
let sent = 0;
const writer = createCellWriter((text) => (sent += Buffer.byteLength(text)), size);
const layout = openLayout();
const inks = inkItself();
let state = firstState();
let now = feed.overview!.now;

const view = () => ({
  feed,
  answers: new Map(),
  now,
  ...size,
  characters: unicodeCharacters,
  names: flagNames,
  commandLine: (words: readonly string[]) => `kubectl karmada-failover ${words.join(' ')}`,
});
const shown = () =>
  screenTexts(layout.lines(createElement(DashboardScreen, { state, view: view() }), size), colourStyle, true);
const draw = () => writer.frame(shown());
function press(text: string): void {
  for (const key of keysIn(text, true).keys) ({ state } = reduce(state, key, view()));
  draw();
}
/** What the screen does without input. */
function rest(): void {
  const listed = listedOn(state, view());
  if (listed) for (const _step of textsAhead(listed, contextOf(state, view())));
}

draw();
for (const news of forecastNews()) {
  feed = withNews(feed, news, 0);
  draw();
}
sent = 0;
writer.clear(size);
draw();
const whole = sent;
await inks.draw();
const SCRIPT: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['jump to the workloads', [':w\r', ':c\r', ':w\r']],
  ['down', Array<string>(20).fill('j')],
  ['down, and the list moves', Array<string>(40).fill('j')],
  ['a screen down', Array<string>(20).fill(' ')],
  ['the last, the first', ['G', 'g', 'G', 'g']],
  ['a letter of a filter', ['/', ...'media-2.*pricing']],
  ['the filter given up', ['\r', '\u001b']],
  ['sorted by a column', ['1', '1', '2', '3', '0']],
  ['back', ['\u001b', ':c\r']],
];
const keys: Measured['keys'] = [];
for (const [name, typed] of SCRIPT) {
  const times: number[] = [];
  sent = 0;
  inks.sent = 0;
  inks.took.length = 0;
  for (const text of typed) {
    const began = process.cpuUsage();
    press(text);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
    rest();
    await inks.draw();
  }
  times.sort((a, b) => a - b);
  keys.push({
    name,
    median: times[Math.floor(times.length / 2)]!,
    slowest: times.at(-1)!,
    bytes: Math.round(sent / typed.length),
    ink: inks.took.sort((a, b) => a - b)[Math.floor(typed.length / 2)]!,
    inkBytes: Math.round(inks.sent / typed.length),
  });
}

const SECONDS = 200;
const before = process.cpuUsage();
for (let second = 0; second < SECONDS; second++) {
  now += 1000;
  draw();
}
const used = process.cpuUsage(before);
const idle = (used.user + used.system) / 1000 / SECONDS;
layout.close();
const measured: Measured = { keys, idle, whole };
console.log(JSON.stringify(measured));
process.exit(0);

/** The outcome of everything if clusters fail, in as many pieces as usual; made up, because simulating it takes long. */
function forecastNews(): FeedNews[] {
  const total = feed.overview!.status.clusters.length;
  const forecasts = feed.overview!.status.clusters.map(({ name }): ClusterForecast => {
    const there = feed.workloads.filter(({ clusters }) => clusters.some((one) => one.name === name));
    const workloads = there.map(({ key, clusters }, at): WorkloadVerdict => ({
      key,
      outcome: OUTCOMES[at % OUTCOMES.length]!,
      certainty: 'certain',
      after: clusters,
    }));
    const ifItFails = Object.fromEntries(OUTCOMES.map((one) => [one, Math.ceil(there.length / 3)]));
    const cost = {
      lost: 0,
      down: 0,
      blocked: 0,
      missingForGood: 0,
      missingPermanently: 0,
      missingReplicaMinutes: 0,
      moves: there.length,
    };
    return { cluster: name, ifItFails, uncertainIfItFails: 0, costIfItFails: cost, workloads };
  });
  return Array.from({ length: PIECES }, (_, at): FeedNews => {
    const [from, to] = [at, at + 1].map((edge) => Math.floor((edge * total) / PIECES));
    return { type: 'forecasts', forecasts: forecasts.slice(from, to), computing: { done: to!, total } };
  });
}

/** What Ink itself, with incrementalRendering, would have sent. */
function inkItself() {
  const stream = Object.assign(new EventEmitter(), {
    ...size,
    // one row more: Ink clears a full screen on every drawing
    rows: size.rows + 2,
    isTTY: true,
    write(text: string) {
      counted.sent += Buffer.byteLength(text);
      return true;
    },
  });
  let ink: ReturnType<typeof render> | undefined;
  const counted = {
    sent: 0,
    /** milliseconds of CPU for each frame */
    took: [] as number[],
    /** resolves once it is sent: Ink never draws two frames within a millisecond */
    async draw() {
      const rows = shown();
      const began = process.cpuUsage();
      const element = createElement(
        Box,
        { flexDirection: 'column' },
        rows.map((row, at) => createElement(Text, { key: at, wrap: 'truncate-end' }, row || ' ')),
      );
      const stdout = stream as unknown as NodeJS.WriteStream;
      if (ink) ink.rerender(element);
      else ink = render(element, { stdout, incrementalRendering: true, maxFps: 1000, patchConsole: false });
      await setTimeout(3);
      const { user, system } = process.cpuUsage(began);
      counted.took.push((user + system) / 1000);
    },
  };
  return counted;
}

async function feedOf(path: string): Promise<Feed> {
  const quiet = () => undefined;
  const ports = {
    warn: quiet,
    note: quiet,
    startProgress: () => ({ report: quiet, done: quiet }),
    names: flagNames,
  };
  const {
    world,
    now: at,
    configuration,
    assumptions,
    karmadaVersion,
  } = await openStateToRead(stateRequest({ state: [path] }), ports);
  const { workloads, ...overview } = overviewOf(world, {
    now: at,
    configuration,
    unverified: unverified(assumptions),
  });
  const source = {
    live: true,
    recorded: false,
    name: 'karmada',
    karmadaVersion,
    switches: failoverSwitches(assumptions),
    assumptions,
  };
  let fed = withNews(emptyFeed, { type: 'source', source }, 0);
  fed = withNews(fed, { type: 'workloads', changed: workloads, gone: [] }, 0);
  return withNews(fed, { type: 'overview', overview }, 0);
}
