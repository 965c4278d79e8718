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
  'a simulation saved at any moment continues as an uninterrupted one': {
    broken: (generated) => goesOnAsInOneGo(generated, 3),
  },
  'fields implied by the bindings may be omitted': {
    worlds: { incident: false },
    mended: [125, 226, 3414, 120094],
    broken: maySayLess,
  },
  'the order of objects does not matter': { broken: saysTheSameInAnyOrder },
  'certain outcomes are the same in every tested processing order': { broken: earnsItsCertainty },
  'controllers on a faulty API reach the same end': {
    mended: [3004, 3033, 3056, 3064, 3076],
    broken: (generated) => endsAlikeOnBadApi(generated),
  },
  'all documents match their schemas': { broken: keepsToSchemas },
  'spans agree with outcomes and downtime': { broken: spansAgree },
  'scenarios from a shared start have the same results as from separate starts': {
    broken: leavesOthersAlone,
  },
  'an observer that reads everything changes nothing': { broken: mayBeLookedAt },
};
