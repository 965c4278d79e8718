import { earnsItsCertainty } from './certain.ts';
import { goesOnAsInOneGo } from './goesOn.ts';
import { mayBeLookedAt, saysTheSameInAnyOrder } from './inAnyOrder.ts';
import { keepsToSchemas } from './keepsToSchemas.ts';
import { leavesOthersAlone } from './leavesAlone.ts';
import { maySayLess } from './leavesOut.ts';
import { endsAlikeOnBadApi } from './onBadApi.ts';
import { spansAgree } from './spansAgree.ts';
import type { GeneratedWorld, WorldOptions } from './worldOfSeed.ts';

/** A property of every world. */
export interface Property {
  /** the worlds that it applies to */
  worlds?: WorldOptions;
  /** seeds of worlds that once broke it, all fixed */
  mended?: readonly number[];
  /** its violation in this world; undefined: it holds */
  broken(generated: GeneratedWorld): string | undefined | Promise<string | undefined>;
}

/** The properties of every complete world, whatever happens to it. */
export const properties: Record<string, Property> = {
  'a simulation that is saved anywhere goes on as if it had never stopped': {
    broken: (generated) => goesOnAsInOneGo(generated, 3),
  },
  'what the bindings imply may be left out': {
    worlds: { incident: false },
    mended: [125, 226, 3414, 120094],
    broken: maySayLess,
  },
  'the order of objects plays no part': { broken: saysTheSameInAnyOrder },
  'what is certain is so in every order that is tried': { broken: earnsItsCertainty },
  'an API that goes wrong brings it to the same end': {
    mended: [3004, 3033, 3056, 3064, 3076],
    broken: (generated) => endsAlikeOnBadApi(generated),
  },
  'all that is said of it keeps to the documented schemas': { broken: keepsToSchemas },
  'spans of time end as the outcomes do, and lack what the copies lack': { broken: spansAgree },
  'what a scenario leaves alone fares the same in all that begin there': { broken: leavesOthersAlone },
  'it plays no part when something is first looked at': { broken: mayBeLookedAt },
};
