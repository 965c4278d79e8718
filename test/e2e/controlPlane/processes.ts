import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the test bed, with everything needed to restart it. */
export interface BedProcess {
  name: string;
  command: string;
  args: string[];
  log: string;
  pid: number;
}

/** Starts a process that outlives this one; its output goes to NAME.log. */
export function start(directory: string, name: string, command: string, args: string[]): BedProcess {
  const log = join(directory, `${name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(command, args, { detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  child.on('error', () => undefined);
  child.unref();
  if (child.pid === undefined) throw new Error(`${name}: ${command} could not be started`);
  return { name, command, args, log, pid: child.pid };
}

/** Whether it still runs, and its id was not reused. */
export function isRunning({ pid, command }: BedProcess): boolean {
  return lookUp(pid)?.command.includes(basename(command)) ?? false;
}

/** A unique identification of a process: ids are reused. */
export interface ProcessIdentity {
  pid: number;
  /** as ps prints it */
  started: string;
}

/** The process with an id. Throws if there is none. */
export function identify(pid: number): ProcessIdentity {
  const found = lookUp(pid);
  if (!found) throw new Error(`there is no process ${pid}`);
  return { pid, started: found.started };
}

/** Whether that very process still runs. */
export function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  return lookUp(pid)?.started === started;
}

/** A running process; undefined if there is none, or only a zombie. */
function lookUp(pid: number): { started: string; command: string } | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // lstart is five words: Mon Nov 23 01:32:33 2026
    const [state = '', ...words] = line.trim().split(/\s+/);
    if (state === '' || state.startsWith('Z')) return undefined;
    return { started: words.slice(0, 5).join(' '), command: words.slice(5).join(' ') };
  } catch {
    return undefined;
  }
}

/** Ends processes by their ids: SIGTERM, later SIGKILL. */
export async function stop(processes: BedProcess[], patience = 5000): Promise<void> {
  let left = signalRunning(processes, 'SIGTERM');
  for (const deadline = Date.now() + patience; left.length > 0 && Date.now() < deadline;) {
    await sleep(50);
    left = left.filter(isRunning);
  }
  left = signalRunning(left, 'SIGKILL');
  while (left.length > 0) {
    await sleep(20);
    left = left.filter(isRunning);
  }
}

/** Kills a process, as a power failure would. */
export async function kill(process: BedProcess): Promise<void> {
  await stop([process], 0);
}

function signalRunning(processes: BedProcess[], signal: 'SIGTERM' | 'SIGKILL'): BedProcess[] {
  return processes.filter((entry) => {
    if (!isRunning(entry)) return false;
    try {
      process.kill(entry.pid, signal);
      return true;
    } catch {
      return false;
    }
  });
}

/** The last lines of a process's log, for messages. */
export function lastWords({ name, log }: BedProcess, lines = 15): string {
  const text = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines);
  return [`${name} (${log}):`, ...text].join('\n  ');
}

/** Ports that are currently free, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Retries until it works; throws the last error when the time is over. */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined | false>,
  { within = 60_000, every = 200 } = {},
): Promise<T> {
  const deadline = Date.now() + within;
  for (let last = 'not yet'; ;) {
    try {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${within / 1000} s: ${last}`);
    await sleep(every);
  }
}
