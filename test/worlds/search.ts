import { parseArgs } from 'node:util';
import { properties } from './properties.ts';
import { worldOfSeed } from './worldOfSeed.ts';

/**
 * Looks for worlds that break a property, beyond the seeds of `npm test`:
 * node scripts/run-ts.mjs test/worlds/search.ts [--first SEED] [--seeds N] [--property WORDS] [--version V]
 */
const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100' },
    property: { type: 'string', default: '' },
    /** absent: any release, chosen by the seed */
    version: { type: 'string' },
  },
});
const asked = Object.entries(properties).filter(([name]) => name.includes(values.property));
const first = Number(values.first);
const { version } = values;
let found = 0;
for (let seed = first; seed < first + Number(values.seeds); seed++)
  for (const [name, { worlds, broken }] of asked) {
    const problem = await broken(worldOfSeed(seed, { ...worlds, ...(version !== undefined && { version }) }));
    if (problem === undefined) continue;
    found++;
    console.log(`seed ${seed}: not so: ${name}: ${problem}`);
  }
console.log(`${found} found in ${values.seeds} seeds`);
