import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** Milliseconds: shorter pauses are unchanged, and longer ones are limits that should not be reached. */
const SHORTEST = 20;
const LONGEST = 20_000;
/** The factor by which pauses between them are shortened. */
const SOONER = 25;

/** The life of a command that runs in this process as if in a separate one: after its end, none of its timers fires. */
export class Lifetime {
  static readonly #lives = new AsyncLocalStorage<Lifetime>();
  static #isPrepared = false;
  hasEnded = false;

  /** Makes the current code part of it; undefined for code outside any life. */
  static current(): Lifetime | undefined {
    return Lifetime.#lives.getStore();
  }

  /** Silences ended commands. Call it before stdout and stderr are replaced for a while. */
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

/** Shortens pauses in all lives, and lets no timer fire after an end. Code outside any life keeps its timers. */
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

/** An ended command prints nothing more. */
function muteTheDead(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = ((...given: unknown[]) =>
    Lifetime.current()?.hasEnded ? true : write(...given)) as typeof stream.write;
}
