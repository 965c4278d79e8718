// The cost of starting a command, against a Node that does nothing: wall time, medians of runs in turns, and the difference.
// NODE_EXTRA_CA_CERTS slows Node's own start, which makes the ratios smaller. Measures the bundle, so build it first.
//   --runs N
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { BIN, hasCommand, median, printTable, readable } from '../measure.ts';

const STATE = 'examples/shop/control-plane.json';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '40' } } });

const cases: [name: string, target: string, ...args: string[]][] = [
  ['node -e 0', '', '-e', '0'],
  ['--help', '1.35×', BIN, '--help'],
  ['failover status --help', '1.35×', BIN, 'failover', 'status', '--help'],
  ['eviction inspect, small state', '', BIN, 'eviction', 'inspect', '--state', STATE],
];

if (!hasCommand('eviction', 'inspect')) {
  console.log('  nothing measured: dist is not built (npm run build)');
} else {
  const times = cases.map((): number[] => []);
  for (let run = -2; run < Number(values.runs); run++) {
    cases.forEach(([name, , ...args], index) => {
      const started = performance.now();
      const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
      const time = performance.now() - started;
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (run >= 0) times[index]!.push(time);
    });
  }
  const nothing = median(times[0]!);
  printTable([
    ['', 'median', 'more', 'ratio', 'target'],
    ...cases.map(([name, target], index) => {
      const time = median(times[index]!);
      const more = `${readable(time - nothing)} ms`;
      return [name, `${readable(time)} ms`, more, `${(time / nothing).toFixed(2)}×`, target];
    }),
  ]);
}
