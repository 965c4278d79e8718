// The cost of the dashboard on a large control plane: milliseconds of CPU from a key to its output, bytes sent, and CPU of an idle second.
//   --bindings N   --clusters N   --columns N   --rows N
import { parseArgs } from 'node:util';
import { printTable, readable, runChild } from '../measure.ts';
import { stateFile } from '../stateFile.ts';
import type { Measured } from './keys.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '20000' },
    clusters: { type: 'string', default: '500' },
    columns: { type: 'string', default: '120' },
    rows: { type: 'string', default: '40' },
  },
});
// as in the bundle: React and Ink do more in development
process.env['NODE_ENV'] = 'production';
const { file } = await stateFile({
  bindings: Number(values.bindings),
  clusters: Number(values.clusters),
  seed: 1,
  works: false,
});
const { keys, idle, whole } = runChild<Measured>('bench/dashboard/keys.ts', [
  file,
  values.columns,
  values.rows,
]);
console.log(
  `  ${values.bindings} bindings, ${values.clusters} clusters, ${values.columns} × ${values.rows}; a whole screen takes ${whole} bytes`,
);
printTable([
  ['', 'median', 'slowest', 'target', 'bytes', 'of a whole screen', 'Ink’s own', 'its bytes'],
  ...keys.map(({ name, median, slowest, bytes, ink, inkBytes }) => [
    name,
    `${readable(median)} ms`,
    `${readable(slowest)} ms`,
    '50 ms',
    String(bytes),
    `${readable((100 * bytes) / whole)} %`,
    `${readable(ink)} ms`,
    String(inkBytes),
  ]),
]);
console.log(
  `  an idle second of a live screen: ${readable(idle)} ms of CPU, ${readable(idle / 10)} % of a core; target 2 %`,
);
