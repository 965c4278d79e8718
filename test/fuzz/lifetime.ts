import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** Milliseconds: shorter pauses are as they are, and longer ones are limits that are not meant to be reached. */
const SHORTEST = 20;
const LONGEST = 20_000;
/** Pauses between them end so many times sooner. */
const SOONER = 25;

/** The life of a command that runs in this process as if it had one of its own: when it has ended, none of its timers comes any more. */
export class Lifetime {
  static readonly #lives = new AsyncLocalStorage<Lifetime>();
  static #isPrepared = false;
  hasEnded = false;

  /** What runs now is part of it; undefined for what is part of none. */
  static current(): Lifetime | undefined {
    return Lifetime.#lives.getStore();
  }

  /** Sees to it that what has ended is still. To be called before anybody takes the place of stdout and stderr for a while. */
  static prepare(): void {
    if (Lifetime.#isPrepared) return;
    Lifetime.#isPrepared = true;
    replaceTimers();
    muteTheDead(process.stdout);
    muteTheDead(process.stderr);
  }

  run<T>(work: () => T): T {
    Lifetime.prepare();
    return Lifetime.#lives.run(this, work);
  }
}

const sooner = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined || milliseconds < SHORTEST || milliseconds > LONGEST
    ? milliseconds
    : Math.max(1, milliseconds / SOONER);

type Callback = (...given: unknown[]) => void;

/** Makes pauses short in all lives, and lets none come after an end. What is part of no life keeps its timers. */
function replaceTimers(): void {
  const { setTimeout: timeout, setInterval: interval } = globalThis;
  const wrapped =
    <Timer>(timer: (callback: Callback, milliseconds?: number, ...given: unknown[]) => Timer) =>
    (callback: Callback, milliseconds?: number, ...given: unknown[]): Timer => {
      const life = Lifetime.current();
      if (!life) return timer(callback, milliseconds, ...given);
      return timer(
        (...all) => (life.hasEnded ? undefined : callback(...all)),
        sooner(milliseconds),
        ...given,
      );
    };
  globalThis.setTimeout = Object.assign(wrapped(timeout), timeout) as typeof setTimeout;
  globalThis.setInterval = Object.assign(wrapped(interval), interval) as typeof setInterval;
  const { setTimeout: sleep } = timersPromises;
  timersPromises.setTimeout = (async (milliseconds, value, options) => {
    const life = Lifetime.current();
    if (!life) return sleep(milliseconds, value, options);
    const slept = await sleep(sooner(milliseconds), value, options);
    if (life.hasEnded) await new Promise(() => undefined);
    return slept;
  }) as typeof sleep;
  syncBuiltinESMExports();
}

/** What has ended says nothing any more. */
function muteTheDead(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = ((...given: unknown[]) =>
    Lifetime.current()?.hasEnded ? true : write(...given)) as typeof stream.write;
}
