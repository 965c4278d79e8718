import { duration } from '../views/words/duration.ts';

/** A line of a log, or a message. */
export interface Line {
  text: string;
  /** what its repeats share with it, such as all but its time */
  key: string;
  /** counted as a repeat even after other lines: a retried failure is nothing new */
  failure?: boolean;
}

/** How often a line has repeated without being printed, and over how many milliseconds. */
export interface Repeated {
  times: number;
  milliseconds: number;
}

interface RepeatsOptions<L extends Line> {
  /** `repeated` is absent if the line came once */
  print: (line: L, repeated?: Repeated) => void;
  /** epoch milliseconds */
  now: () => number;
  /** calls back once, unless the returned function is called first */
  later: (callBack: () => void, milliseconds: number) => () => void;
}

/** Prints a line that repeats once, then its count. */
interface Repeats<L extends Line> {
  line(line: L): void;
  /** Prints the pending counts, and forgets all lines. */
  end(): void;
}

/** Milliseconds for which a line is kept before its count is printed; doubled while the line repeats. */
const FIRST = 30_000;
const LONGEST = 600_000;
/** The number of failures to keep. */
const MAX = 64;

interface Known<L extends Line> {
  /** the newest */
  line: L;
  /** repeats not printed yet, and when the first of them came */
  waiting: number;
  since: number;
  /** when it is forgotten, or its count printed */
  until: number;
  interval: number;
}

/**
 * A line is printed at once, unless it equals the previous line or a recently printed failure: then it is counted. The
 * count is printed with the newest repeat when another line comes, at intervals, and at the end.
 */
export function createRepeats<L extends Line>({ print, now, later }: RepeatsOptions<L>): Repeats<L> {
  const known = new Map<string, Known<L>>();
  let cancel: (() => void) | undefined;

  function printCount(one: Known<L>): void {
    if (one.waiting === 0) return;
    if (one.waiting === 1) print(one.line);
    else print(one.line, { times: one.waiting, milliseconds: now() - one.since });
    one.waiting = 0;
  }

  function wake(): void {
    const waiting = [...known.values()].filter((one) => one.waiting > 0);
    if (cancel || waiting.length === 0) return;
    const next = Math.min(...waiting.map(({ until }) => until));
    cancel = later(
      () => {
        cancel = undefined;
        for (const one of waiting.filter(({ until }) => until <= now())) {
          one.interval = Math.min(one.interval * 2, LONGEST);
          one.until = now() + one.interval;
          printCount(one);
        }
        wake();
      },
      Math.max(0, next - now()),
    );
  }

  function printCounts(): void {
    for (const one of known.values()) printCount(one);
    cancel?.();
    cancel = undefined;
  }

  /** Forgets all but the last line and recent failures. */
  function forget(): void {
    for (const [key, { line, until }] of known) if (!line.failure || until <= now()) known.delete(key);
    for (const key of known.keys()) if (known.size >= MAX) known.delete(key);
  }

  return {
    line(line) {
      const one = known.get(line.key);
      if (one && (one.waiting > 0 || now() < one.until)) {
        if (one.waiting++ === 0) one.since = now();
        one.line = line;
        wake();
        return;
      }
      printCounts();
      forget();
      const interval = FIRST;
      known.set(line.key, { line, waiting: 0, since: 0, until: now() + interval, interval });
      print(line);
    },
    end() {
      printCounts();
      known.clear();
    },
  };
}

/** "refused (repeated 4 times in 12s)" */
export function withCount(text: string, { times, milliseconds }: Repeated): string {
  return `${text} (repeated ${times} times${milliseconds < 1000 ? '' : ` in ${duration(milliseconds)}`})`;
}

/** `createRepeats` with the clock of this process: it keeps no process from ending, and no count is lost at exit. */
export function repeatsOfProcess<L extends Line>(print: RepeatsOptions<L>['print']): Repeats<L> {
  const repeats = createRepeats({
    print,
    now: Date.now,
    later(callBack, milliseconds) {
      const unwatch = beforeEnd(repeats.end);
      const timer = setTimeout(() => {
        unwatch();
        callBack();
      }, milliseconds).unref();
      return () => {
        unwatch();
        clearTimeout(timer);
      };
    },
  });
  return repeats;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs before the process ends, also by a signal without another listener; call the result to undo that. */
function beforeEnd(act: () => void): () => void {
  const unheard = SIGNALS.filter((name) => process.listenerCount(name) === 0);
  const onSignal = (name: NodeJS.Signals) => {
    act();
    undo();
    if (process.listenerCount(name) === 0) process.kill(process.pid, name);
  };
  const undo = () => {
    process.off('exit', act);
    for (const name of unheard) process.off(name, onSignal);
  };
  process.on('exit', act);
  for (const name of unheard) process.on(name, onSignal);
  return undo;
}
