import fc from 'fast-check';
import type { ClientOptions, Fault, WatchCut } from '../fakeClient.ts';
import { START } from './drainScene.ts';

/** The faults of one process of ours: kills end it, and another one takes over. */
export interface Mishaps {
  faults: [request: number, fault: Fault][];
  cuts: { of: string; second: number; seconds: number; silent: boolean }[];
  watchLags: number[];
  /** seconds after the start */
  killAt: number | undefined;
}

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ type: fc.constantFrom('reset' as const, 'error' as const), when: when() }),
  fc.record({ type: fc.constant('overloaded' as const), retryAfter: fc.integer({ min: 1, max: 5 }) }),
  fc.constant({ type: 'foreign' as const }),
  fc.record({ type: fc.constant('slow' as const), milliseconds: fc.integer({ min: 10, max: 20_000 }) }),
);

function when(): fc.Arbitrary<'before' | 'after'> {
  return fc.constantFrom('before' as const, 'after' as const);
}

const kill: fc.Arbitrary<Fault> = fc.record({
  type: fc.constant('kill' as const),
  when: fc.constantFrom('before' as const, 'after' as const, 'answered' as const),
});

const cut = fc.record({
  of: fc.constantFrom('clusters', 'resourcebindings', 'works'),
  second: fc.nat(60),
  seconds: fc.integer({ min: 1, max: 90 }),
  silent: fc.boolean(),
});

/** @param mortal whether it may be killed */
export function mishaps(mortal: boolean): fc.Arbitrary<Mishaps> {
  return fc.record({
    faults: fc.array(
      fc.tuple(
        fc.nat(120),
        mortal ? fc.oneof({ weight: 6, arbitrary: fault }, { weight: 1, arbitrary: kill }) : fault,
      ),
      { maxLength: 50 },
    ),
    cuts: fc.array(cut, { maxLength: 3 }),
    watchLags: fc.array(fc.oneof(fc.constant(20), fc.integer({ min: 0, max: 3000 })), {
      minLength: 1,
      maxLength: 20,
    }),
    killAt: mortal
      ? fc.option(
          fc.nat(60_000).map((ms) => ms / 1000),
          { nil: undefined },
        )
      : fc.constant(undefined),
  });
}

/** @param begun epoch milliseconds at which the process begins */
export function clientWith({ faults, cuts, watchLags, killAt }: Mishaps, begun: number): ClientOptions {
  const byNumber = new Map(faults);
  let lags = 0;
  return {
    fault: ({ number }) => byNumber.get(number),
    watchLag: () => watchLags[lags++ % watchLags.length]!,
    cuts: cuts.map(({ of, second, seconds, silent }): WatchCut => ({
      path: new RegExp(`/${of}$`),
      at: Math.max(START + second * 1000, begun + 1000),
      milliseconds: seconds * 1000,
      silent,
    })),
    ...(killAt === undefined ? {} : { killAt: begun + killAt * 1000 }),
  };
}
