import { setInterval as interval } from 'node:timers';
// oclif reads stdout's size once, when it is loaded: this must happen before stdout is presented as a terminal
import '../../src/cli/oclif/run.ts';
import { main } from '../../src/main.ts';
import { Lifetime } from './lifetime.ts';

/** What a command line has put out. */
export interface Output {
  code: number;
  stdout: string;
  stderr: string;
  /** how often Ctrl-C was pressed */
  presses?: number;
}

export interface Surroundings {
  isTerminal?: boolean;
  /** another entry point than that of the commands */
  entry?: (argv: string[], root: string) => Promise<number>;
  /**
   * Returns a number that grows while something continues elsewhere. With it Ctrl-C is pressed when everything has
   * settled.
   */
  activity?: () => number;
  /** the most milliseconds until it ends after Ctrl-C; without it Ctrl-C is pressed repeatedly */
  patience?: number;
}

/** Stands for the end of the process. */
class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** A screen drawn earlier in this process restores the cursor when something ends. */
const CURSOR_SHOWN = '\u001b[?25h';

const root = process.cwd();

/** Runs a command line in this process, as if in a separate one. Only one at a time. */
export async function inProcess(
  argv: readonly string[],
  { isTerminal = false, entry = main, activity, patience = 0 }: Surroundings = {},
): Promise<Output> {
  if (activity) Lifetime.prepare();
  const pieces = { stdout: '', stderr: '' };
  const { stdout, stderr } = process;
  const before = {
    out: stdout.write,
    err: stderr.write,
    exit: process.exit,
    kill: process.kill,
    tty: stdout.isTTY,
  };
  const listeners = EVENTS.map((name) => [name, process.listeners(name as 'SIGINT')] as const);
  const life = new Lifetime();
  const resized = stdout.listeners('resize');
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => (end = resolve));
  stdout.write = taking((text) => (pieces.stdout += text));
  stderr.write = taking((text) => (pieces.stderr += text === CURSOR_SHOWN ? '' : text));
  stdout.isTTY = isTerminal;
  process.exit = (given) => {
    const code = Number(given ?? 0);
    life.hasEnded = activity !== undefined;
    end(code);
    throw new Exit(code);
  };
  // what screens do without another listener for Ctrl-C
  process.kill = () => process.exit(130);
  const run = () => entry([...argv], root);
  const watching =
    activity && pressCtrlC(() => activity() + pieces.stdout.length + pieces.stderr.length, patience);
  let code: number;
  let presses: number;
  try {
    const running = activity ? life.run(run) : run();
    running.catch(() => undefined);
    forgivingExit(listeners);
    code = await Promise.race([running, ended]);
  } catch (error) {
    if (!(error instanceof Exit)) pieces.stderr += traceOf(error);
    code = error instanceof Exit ? error.code : 70;
  } finally {
    presses = watching?.() ?? 0;
    life.hasEnded = true;
    Object.assign(stdout, { write: before.out, isTTY: before.tty });
    Object.assign(stderr, { write: before.err });
    Object.assign(process, { exit: before.exit, kill: before.kill });
    for (const [name, known] of listeners)
      for (const listener of process.listeners(name as 'SIGINT'))
        if (!known.includes(listener)) process.off(name, listener);
    for (const listener of stdout.listeners('resize'))
      if (!resized.includes(listener)) stdout.off('resize', listener as () => void);
    stdout.removeAllListeners('error');
    stderr.removeAllListeners('error');
  }
  return { code, ...pieces, presses };
}

const EVENTS = ['uncaughtException', 'beforeExit', 'exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];

/** A process that ended in a listener has ended: no other listener is called. */
function forgivingExit(before: readonly (readonly [string, readonly unknown[]])[]): void {
  const known = before.find(([name]) => name === 'uncaughtException')![1];
  for (const listener of process.listeners('uncaughtException')) {
    if (known.includes(listener)) continue;
    process.off('uncaughtException', listener);
    process.on('uncaughtException', (error, origin) => {
      try {
        listener(error, origin);
      } catch (thrown) {
        if (!(thrown instanceof Exit)) throw thrown;
      }
    });
  }
}

/** Milliseconds between checks, how many equal results count as settled, and the most checks. */
const LOOK_EVERY = 4;
const LOOKS = 8;
const MAX_LOOKS = 100;

/**
 * Presses Ctrl-C whenever nothing has changed for a while; returns a function that stops this and returns the count. A
 * process that does not listen for it ends.
 */
function pressCtrlC(activity: () => number, patience: number): () => number {
  let seen = activity();
  let same = 0;
  let looks = 0;
  let notBefore = 0;
  let presses = 0;
  const timer = interval(() => {
    const now = activity();
    same = now === seen ? same + 1 : 0;
    seen = now;
    if ((same < LOOKS && ++looks < MAX_LOOKS) || performance.now() < notBefore) return;
    same = looks = 0;
    presses++;
    notBefore = performance.now() + patience;
    try {
      if (!process.emit('SIGINT', 'SIGINT')) process.exit(130);
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
    }
  }, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    return presses;
  };
}

function traceOf(failure: unknown): string {
  return failure instanceof Error ? `${failure.stack}\n` : `${String(failure)}\n`;
}

/** A stream's `write` that passes on output, unless its process has ended. */
function taking(take: (text: string) => void): typeof process.stdout.write {
  return ((piece: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    if (!Lifetime.current()?.hasEnded)
      take(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') (callback as () => void)();
    return true;
  }) as typeof process.stdout.write;
}
