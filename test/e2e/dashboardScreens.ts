import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { flagsOf } from './recordedIncident.ts';
import { program } from '../program.ts';

const GOLDENS = resolve('test/e2e/screens');

/** Before the forecasts arrive, columns have other widths. */
const COMPUTING = /reading\.\.\.|(?:forecast|new one) \d+\/\d/;

/** Screens of the dashboard, "VIEW-COLUMNSxROWS" with their content. */
export type Screens = Record<string, string>;

/**
 * Opens the dashboard in tmux, as a user would, and looks at its views once the headline contains the awaited text. Whatever differs from
 * run to run is masked.
 */
export async function dashboardScreens(
  bed: Bed,
  { views, once }: { /** by size */ views: Record<string, readonly string[]>; once: RegExp },
): Promise<Screens> {
  const terminals = Object.keys(views).map((size, n) => openTerminal(bed, size, `e2e-${process.pid}-${n}`));
  try {
    // keys typed before it reads them are lost
    for (const { size, screen } of terminals)
      await eventually(`the dashboard at ${size}`, () => Promise.resolve(screen().includes('q quit')));
    const screens: Screens = {};
    for (const { size, type, screen } of terminals)
      for (const view of views[size]!) {
        type(`:${view}`);
        const seen = await eventually(`${view} at ${size} with ${once.source}`, () => {
          const now = screen();
          const isThere = once.test(now) && !COMPUTING.test(now) && shows(now, view);
          return isThere ? Promise.resolve(now) : Promise.reject(new Error(now));
        });
        screens[`${view}-${size}`] = masked(seen);
      }
    return screens;
  } finally {
    for (const { close } of terminals) close();
  }
}

/** Whether a screen shows a view, without pending input; the first screen shows the beginnings of others, too. */
function shows(screen: string, view: string): boolean {
  const lines = screen.trimEnd().split('\n');
  return lines[2]!.startsWith(`${view} `) && !lines.at(-1)!.startsWith(':');
}

/** The same screens as stored; with E2E_UPDATE_SCREENS=1 the new ones are stored. */
export function keptScreens(seen: Screens): Screens {
  return Object.fromEntries(
    Object.entries(seen).map(([name, screen]) => {
      const file = join(GOLDENS, `${name}.txt`);
      if (process.env.E2E_UPDATE_SCREENS === '1') {
        mkdirSync(GOLDENS, { recursive: true });
        writeFileSync(file, screen);
      }
      return [name, existsSync(file) ? readFileSync(file, 'utf8') : ''];
    }),
  );
}

interface Terminal {
  size: string;
  type(line: string): void;
  screen(): string;
  close(): void;
}

function openTerminal(bed: Bed, size: string, server: string): Terminal {
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...argv], { encoding: 'utf8' });
  const [columns, rows] = size.split('x') as [string, string];
  const environment = ['LC_ALL=C.UTF-8', `KUBECONFIG=${bed.kubeconfig}`];
  // Karmada's next steps are timed: this comes first
  const command = ['nice', 'env', ...environment, ...program('dashboard', ...flagsOf(bed)).flat()];
  // a dashboard that ends leaves its output on the screen
  const ended = '; set remain-on-exit on'.split(' ');
  tmux(...'new-session -d -s s'.split(' '), '-x', columns, '-y', rows, ...command, ...ended);
  return {
    size,
    type(line) {
      tmux('send-keys', '-t', 's', '-l', line);
      tmux('send-keys', '-t', 's', 'Enter');
    },
    screen: () => tmux('capture-pane', '-p', '-S', '-5', '-t', 's'),
    close: () => void spawnSync('tmux', ['-L', server, 'kill-server']),
  };
}

/**
 * A screen without what differs from run to run: times, ages, bars, the version, forecasts and the order of clusters by them, the counts on
 * the other clusters, the outcome of a workload that may yet become ready (`stuck`), the width of the last column, and how brief the first
 * line is. The lists below the clusters have their own screens.
 */
function masked(screen: string): string {
  const lines = withoutGlance(screen.trimEnd().split('\n'));
  const head = lines.find((line) => /^ {2}[A-Z]+ {2}/.test(line)) ?? '';
  const column = (name: string) => head.indexOf(name);
  const [counts, evicting, forecast, taints] = ['WORKLOADS', 'EVICTING', 'IF IT FAILS', 'TAINTS'].map(
    column,
  ) as [number, number, number, number];
  const last = Math.max(column('WAITS FOR'), taints);
  const isOfCluster = (line: string) => forecast > 0 && line !== head && isRow(line);
  // whether there is space for counts depends on the forecasts, too
  const uncounted = (line: string) => line.slice(0, counts > 0 ? counts : evicting);
  const shown = lines.map((line) => {
    let text = line;
    if (isRow(line) && last > 0 && text.length > last + 10) text = `${text.slice(0, last + 10)}…`;
    if (line === head && forecast > 0) text = `${uncounted(text)}COUNTS  ${text.slice(evicting)}`;
    if (isOfCluster(line))
      text = `${uncounted(text)}COUNTS  ${text.slice(evicting, forecast)}FORECAST  ${text.slice(taints) === '' ? '' : 'TAINTED'}`;
    if (text.includes('/stuck')) text = text.replace(/(moves|lost|blocked)(?: \(estimate\)|\?)?/, 'OUTCOME');
    return (
      text
        .replace(/forecast \d.*(?=live)/, '')
        // the first line is brief if other text needs its space, too
        .replace(/^(\d workloads down)(?:, \d more in trouble)?( · Failover on)(?: \(estimate\)|\?)?/, '$1$2')
        .replace(/(\d evictions), .*/, '$1…')
        .replace(/\d\d:\d\d:\d\dZ/g, 'TIME')
        .replace(/[█░]{10} +[\dms]+/g, 'BAR')
        .replace(/ (?:\d+[hms])+(?= |$)/g, ' AGE')
        .replace(/Karmada v[\d.]+/, 'Karmada VERSION')
        .replace(/(\S) {2,}/g, '$1  ')
        .trimEnd()
    );
  });
  const others = shown.filter((line, at) => isOfCluster(lines[at]!) && line.startsWith(' ')).sort();
  return `${shown.map((line, at) => (isOfCluster(lines[at]!) && line.startsWith(' ') ? others.shift()! : line)).join('\n')}\n`;
}

/** The first screen without the beginnings of other lists below the clusters. */
function withoutGlance(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line === '');
  const command = lines.findLastIndex((line) => line.startsWith('$ '));
  return lines.map((line, at) => (end !== -1 && at > end && at < command ? '' : line));
}

const isRow = (line: string) => /^[▸ ] \S/.test(line);
