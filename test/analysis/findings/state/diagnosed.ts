import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLinks } from '../../../../src/analysis/findings/state/brokenLinks.ts';
import { examine, type Examined } from '../../../../src/analysis/findings/state/examined.ts';
import { examinationOf } from '../../../../src/useCases/doctor/examinationOf.ts';
import { openStateToRead, type OpenedState } from '../../../../src/useCases/state/openState.ts';
import type {
  Cure,
  CuredFinding,
  DiagnosedControlPlane,
} from '../../../../src/analysis/findings/state/diagnose.ts';
import type { StateFinding } from '../../../../src/analysis/findings/state/stateCheck.ts';
import { diagnoseControlPlane } from '../../../../src/useCases/doctor/diagnoseControlPlane.ts';
import { quietPorts } from '../../../useCases/quietPorts.ts';
import { NOW } from './healthyWorld.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

/** A diagnosis with all remedies simulated. */
interface CuredDiagnosis extends DiagnosedControlPlane {
  findings: readonly CuredFinding[];
  cured: Cure;
}

const directory = temporaryFolder('doctor-');

/**
 * Doctor's findings for these objects at the instant of the healthy control plane.
 * @param only ids of checks to make; absent: all
 * @param cured the number of findings for which changes are simulated
 */
export function diagnosed(
  objects: readonly object[],
  { only, cured = 0 }: { only?: string[]; cured?: number } = {},
): Promise<CuredDiagnosis> {
  const file = join(directory, 'state.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return diagnosedFile(file, { time: Date.parse(NOW), text: NOW }, { only, cured });
}

/** Explain's broken links of shop/web, or of another binding, in the most recently diagnosed objects. */
export async function explained(bindingName?: string): Promise<StateFinding[]> {
  const state = await diagnosedLast();
  const { bindings } = state.world;
  const web = bindings.find(({ spec, metadata }) =>
    bindingName
      ? metadata.name === bindingName
      : spec.resource.name === 'web' && spec.resource.kind !== 'Service',
  );
  return brokenLinks(examinationOf(state, bindings, quietPorts().names), web!, []);
}

/** The most recently diagnosed objects, as a control plane where everything can be read. */
export async function examinedAsLive(): Promise<Examined> {
  const state = await diagnosedLast();
  const world = { ...state.world, unread: [] };
  return examine(examinationOf({ ...state, world }, world.bindings, quietPorts().names));
}

function diagnosedLast(): Promise<OpenedState> {
  const source = { files: [join(directory, 'state.json')] };
  return openStateToRead({ source, at: { time: Date.parse(NOW), text: NOW } }, quietPorts());
}

/**
 * Doctor's findings for a file with a state.
 * @param at its instant; absent: from the file
 */
export async function diagnosedFile(
  file: string,
  at?: { time: number; text: string },
  { only, cured = 0 }: { only?: string[] | undefined; cured?: number } = {},
): Promise<CuredDiagnosis> {
  const { cured: cure, ...diagnosis } = await diagnoseControlPlane(
    {
      state: { source: { files: [file] }, ...(at && { at }) },
      selection: {},
      only,
      riskWords: ({ code }) => code,
      cured,
    },
    quietPorts(),
  );
  const findings = diagnosis.findings.map(cure);
  return { ...diagnosis, findings, cured: (one) => findings.find((known) => known === one) ?? cure(one) };
}
