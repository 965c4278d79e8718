// node scripts/run-ts.mjs test/chaos/createLoad.ts BED_DIRECTORY [WORKLOADS]: loads a test bed as `npm run chaos` does.
import { Bed } from '../e2e/controlPlane/bed.ts';
import { createLoad, loadOf } from './load.ts';

const [directory = '', workloads = '200'] = process.argv.slice(2);
const bed = Bed.at(directory);
const load = loadOf(Number(workloads));
await createLoad(bed.api(), load);
console.log(`${load.length} workloads are ready`);
bed.close();
