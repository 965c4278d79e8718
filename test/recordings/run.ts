// npm run replay -- DIR: replays each recording of DIR that has a scenario and compares, binding by binding.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareSteps, median, recordedSteps, simulatedSteps, type Step } from './replay.ts';
import { simulateFiles } from './simulateFiles.ts';

const directory = process.argv[2];
if (!directory) {
  console.error('usage: npm run replay -- DIR');
  process.exit(2);
}

const clock = (time: number) => new Date(time).toISOString().slice(11, 23);
const print = (title: string, steps: Step[]) =>
  steps.forEach(({ time, placement }) => console.log(`    ${title} ${clock(time)} ${placement}`));

/** Bindings whose steps are the members' own doing, or a race that Karmada itself does not order. */
const excused: Record<string, string[]> = {
  'C-manual-taint-and-cordon': ['shop/api-deployment'],
  'F-application-failover': ['data/jobmanager-deployment'],
};

let [passed, failed] = [0, 0];
for (const name of readdirSync(directory).sort()) {
  const folder = join(directory, name);
  if (!existsSync(join(folder, 'scenario.yaml')) || !existsSync(join(folder, 'watch.jsonl'))) continue;
  const recorded = recordedSteps(readFileSync(join(folder, 'watch.jsonl'), 'utf8'));
  const simulation = await simulateFiles(join(folder, '01-before.json'), join(folder, 'scenario.yaml'));
  const result = compareSteps(recorded, simulatedSteps(simulation, recorded));
  const wrong = result.different.filter(({ binding }) => !excused[name]?.includes(binding));
  const off = median(result.off) ?? 0;
  const good = wrong.length === 0 && off <= 1.5;
  if (good) passed++;
  else failed++;
  console.log(
    `${name}: ${result.same.length} bindings take the same steps, ${result.different.length} others; times off by ${off.toFixed(1)} s (median), ${(result.off.at(-1) ?? 0).toFixed(1)} s (most)${good ? '' : '  FAILED'}`,
  );
  for (const { binding, recorded: real, simulated } of result.different) {
    console.log(
      `  differs: ${binding}${wrong.some((entry) => entry.binding === binding) ? '' : ' (excused)'}`,
    );
    print('recorded ', real);
    print('simulated', simulated);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
