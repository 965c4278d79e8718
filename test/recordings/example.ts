// node scripts/run-ts.mjs test/recordings/example.ts: rebuilds examples/incident.rec from a recorded incident, with the flags of that
// Karmada.
import { rmSync } from 'node:fs';
import type { CommandLine } from '../../src/karmada/configuration/commandLine.ts';
import { writeRecordedFile } from './recordedFile.ts';
import { readRecording } from './recording.ts';

const file = 'examples/incident.rec';
const recording = readRecording('test/recordings/data/incidents/other-11a');
const { featureGates, ...components } = recording.scenario.assume as Record<string, Record<string, unknown>>;
const gates = Object.entries(featureGates ?? {})
  .map(([name, on]) => `${name}=${String(on)}`)
  .join();
const NAMES = {
  controllerManager: 'karmada-controller-manager',
  agent: 'karmada-agent',
  webhook: 'karmada-webhook',
} as const;
const commandLines = (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((component): CommandLine => ({
  component,
  flags: [
    { name: 'feature-gates', value: gates },
    ...Object.entries(components[component] ?? {}).map(([name, value]) => ({ name, value: String(value) })),
  ],
  source: `Deployment karmada-system/${NAMES[component]}`,
}));
rmSync(file, { force: true });
console.log(`${file}: ${await writeRecordedFile(recording, file, commandLines)} changes`);
