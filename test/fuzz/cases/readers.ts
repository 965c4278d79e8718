import { presentable } from '../../../src/presentation/presentable.ts';
import { readControllerLog } from '../../../src/state/controllerLog.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { connect } from '../../../src/state/live/connect.ts';
import { deletionPlanParser } from '../../../src/state/plan/deletionPlanFile.ts';
import { planParser } from '../../../src/state/plan/planFile.ts';
import { parseScenario } from '../../../src/state/scenario/scenarioFile.ts';
import { readOneDocument } from '../../../src/state/yaml/positions.ts';
import { parseOrganisationRules } from '../../../src/useCases/rules/organisationRules.ts';
import type { Output } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import { kubeconfig, rules } from '../documents.ts';
import { wholeDeletionPlan } from '../mutatedDeletionPlan.ts';
import { wholePlan } from '../mutatedPlan.ts';
import { manifests, wholeScenario } from '../mutatedScenario.ts';
import { mutatedRecording } from '../mutatedRecording.ts';
import { mutatedSnapshot, mutatedState } from '../mutatedState.ts';
import { mutatedText, mutatedValue } from '../mutations.ts';
import { oddlyShaped, withNameTwice } from '../oddShapes.ts';
import type { Random } from '../random.ts';
import { treatedText, TREATMENTS } from '../treatments.ts';
import type { Json, Manifest } from '../world.ts';
import { textOf, type Workplace } from '../workplace.ts';
import type { FuzzCase, Make } from './fuzzCase.ts';

/** An internal error, and its output. */
async function asOutput(work: () => unknown): Promise<Output> {
  try {
    await work();
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    const { exitCode: code = 70, message, stack } = error as Error & { exitCode?: number };
    const line = `error: ${presentable(message)}\n`;
    return { code, stdout: '', stderr: code === 70 ? `${line}${stack}` : line };
  }
}

/** Each takes some tenths of a second to simulate. */
export const WORLDS = 5;

type Read = (text: string, place: Workplace) => unknown;

/** A file for the readers of its kind only. */
function reading(kind: string, read: Read, textOfFile: (random: Random, place: Workplace) => Json): Make {
  return (random, place): FuzzCase => ({
    kind,
    input: textOfFile(random, place),
    given: 'read',
    async run(changed) {
      const text = textOf(changed);
      const output = await asOutput(() => read(text, place));
      return problemOf(output, { given: text, isTerminal: false, isRaw: false, written: [] });
    },
  });
}

const documents =
  (all: readonly Manifest[]) =>
  (random: Random): string =>
    treatedText(random.of(all), random.of(TREATMENTS), random);

const asState: Read = (text) => stateFromFiles(['-'], () => [Buffer.from(text)]).load();

/** Compiled on first use, and kept: compiling takes as long as reading many plans. */
let plans: ReturnType<typeof planParser> | undefined;
let deletions: ReturnType<typeof deletionPlanParser> | undefined;

export const state = reading('state file', asState, (random, { world }) => {
  if (random.next() < 0.3) return mutatedText(textOf([...world]), random);
  const items = [...world];
  const at = random.below(items.length);
  items[at] = mutatedValue(items[at], random) as Manifest;
  return items;
});

export const stateOfOneWorkload = reading('state file of one workload', asState, (random) =>
  mutatedState(random.below(2 ** 31)),
);

export const oddState = reading('odd shapes of a state file', asState, (random, { world }) =>
  random.next() < 0.3 ? withNameTwice(textOf([...world]), random) : oddlyShaped(world, random),
);

export const snapshot = reading('snapshot or saved simulation', asState, (random) =>
  mutatedSnapshot(random.below(2 ** 31), WORLDS),
);

export const recording = reading('recording', asState, (random) => mutatedRecording(random.below(2 ** 31)));

const LOG = [
  { kind: 'ControllerEvent', time: '2026-09-01T08:00:00Z', type: 'started', written: false },
  {
    kind: 'ControllerEvent',
    time: '2026-09-01T08:00:05Z',
    type: 'evicted',
    cluster: 'east-1',
    object: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    evidence: [{ rule: 'no toleration for the taint', field: 'spec.placement' }],
  },
  { kind: 'ControllerEvent', time: '2026-09-01T08:00:09Z', type: 'pace', pace: { mode: 'slow', rate: 1 } },
];

export const controllerLog = reading(
  'log of controllers',
  (text) => readControllerLog(text, 'run.jsonl'),
  (random) => mutatedText(LOG.map((line) => JSON.stringify(line)).join('\n'), random),
);

export const plan = reading(
  'plan file',
  async (text) => (await (plans ??= planParser()))(text, 'plan.json'),
  documents([wholePlan as Manifest]),
);

export const deletionPlan = reading(
  'plan file of a deletion',
  async (text) => (await (deletions ??= deletionPlanParser()))(text, 'plan.json'),
  documents([wholeDeletionPlan as Manifest]),
);

export const scenario = reading(
  'scenario file',
  (text) => {
    const { value, at } = readOneDocument(text, 'scenario.yaml');
    return parseScenario(value, 'scenario.yaml', at);
  },
  documents([wholeScenario as Manifest]),
);

export const manifest = reading('manifest', asState, documents(manifests as readonly Manifest[]));

export const ruleFile = reading(
  'rule file',
  (text) => parseOrganisationRules(text, 'rules.yaml', new Set()),
  documents([rules]),
);

export const kubeconfigFile = reading(
  'kubeconfig',
  async (text, place) => {
    const server = await connect({ kubeconfig: place.file('kubeconfig', text) }, { environment: {} });
    server.close();
  },
  documents([kubeconfig]),
);
