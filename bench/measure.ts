import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

/** What a process took. Wall and CPU time in seconds, memory in MiB at its peak. */
export interface Usage {
  status: number | null;
  wall: number;
  cpu: number;
  peak: number;
}

export const BIN = 'bin/kubectl-karmada_failover.js';

/** Whether the bundle exists and has this command. */
export function hasCommand(...command: string[]): boolean {
  return spawnSync(process.execPath, [BIN, ...command, '--help'], { stdio: 'ignore' }).status === 0;
}

/** Where generated states and built references are kept; git ignores it. */
export function cacheDirectory(): string {
  const directory = resolve('node_modules/.cache/bench');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Runs Node with arguments, its output going to a file, and measures it. */
export function measureNode(args: readonly string[], outputFile: string): Usage {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const report = join(directory, 'usage.json');
  const output = openSync(outputFile, 'w');
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', output, 'inherit'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/reportUsage.mjs')).href}`,
      BENCH_USAGE_FILE: report,
    },
  });
  const wall = (performance.now() - started) / 1000;
  closeSync(output);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as NodeJS.ResourceUsage;
  rmSync(directory, { recursive: true });
  return { status, wall, cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
}

/** Runs a TypeScript file of the bench in its own process and returns the JSON that it prints. */
export function runChild<T>(file: string, args: readonly string[]): T {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', file, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${file} ended with ${status}`);
  return JSON.parse(stdout) as T;
}

/** CPU time of this process so far, in seconds. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A number for people: three significant digits, with thousands separators. */
export function readable(number: number): string {
  const digits = number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return number.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Prints rows as columns, numbers to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    console.log(`  ${cells.join('  ')}`);
  }
}
