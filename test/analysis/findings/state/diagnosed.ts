import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiagnosedControlPlane } from '../../../../src/analysis/findings/state/diagnose.ts';
import { diagnoseControlPlane } from '../../../../src/useCases/doctor/diagnoseControlPlane.ts';
import { quietPorts } from '../../../useCases/quietPorts.ts';
import { NOW } from './healthyWorld.ts';

const directory = mkdtempSync(join(tmpdir(), 'doctor-'));

/**
 * What doctor finds in these objects at the instant of the healthy control plane.
 *
 * @param only ids of checks to make; absent: all
 * @param cured for so many findings changes are simulated
 */
export function diagnosed(
  objects: readonly object[],
  { only, cured = 0 }: { only?: string[]; cured?: number } = {},
): Promise<DiagnosedControlPlane> {
  const file = join(directory, 'state.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return diagnoseControlPlane(
    {
      state: { source: { files: [file] }, at: { time: Date.parse(NOW), text: NOW } },
      selection: {},
      only,
      riskWords: ({ code }) => code,
      cured,
    },
    quietPorts(),
  );
}
