import { randomOf } from '../random.ts';
import type { Workplace } from '../workplace.ts';
import * as commands from './commands.ts';
import { controllers } from './controllers.ts';
import { dashboard } from './dashboard.ts';
import type { FuzzCase, Make } from './fuzzCase.ts';
import * as live from './live.ts';
import { oddFiles } from './oddFiles.ts';
import * as readers from './readers.ts';
import { screen } from './screens.ts';
import { text } from './texts.ts';

/** Every kind of input, with its frequency in percent. */
const KINDS: readonly (readonly [string, Make, number])[] = [
  ['text through every printer', text, 77.31],
  ['state file', readers.state, 4],
  ['state file of one workload', readers.stateOfOneWorkload, 0.5],
  ['snapshot or saved simulation', readers.snapshot, 0.2],
  ['recording', readers.recording, 0.2],
  ['log of controllers', readers.controllerLog, 0.2],
  ['plan file', readers.plan, 0.7],
  ['plan file of a deletion', readers.deletionPlan, 0.3],
  ['scenario file', readers.scenario, 2],
  ['manifest file', readers.manifest, 5],
  ['rule file', readers.ruleFile, 5],
  ['kubeconfig', readers.kubeconfigFile, 2.2],
  ['hostile objects', commands.hostileObjects, 0.1],
  ['one hostile field', commands.hostileField, 0.1],
  ['mutated objects', commands.mutatedObjects, 0.1],
  ['largest numbers in objects', commands.extremeNumbers, 0.1],
  ['largest settings', commands.extremeSettings, 0.05],
  ['odd shapes of objects', commands.oddObjects, 0.1],
  ['odd shapes of state files', readers.oddState, 1],
  ['links and pipes', oddFiles, 0.05],
  ['mutated snapshots', commands.mutatedSnapshots, 0.02],
  ['mutated recordings', commands.mutatedRecordings, 0.02],
  ['secrets in objects', commands.secretsInObjects, 0.06],
  ['secrets in fields', commands.secretsInFields, 0.1],
  ['scenarios', commands.scenarios, 0.08],
  ['plans', commands.plans, 0.03],
  ['manifests', commands.manifestFiles, 0.06],
  ['taint policies', commands.policyFiles, 0.08],
  ['rule files', commands.ruleFiles, 0.06],
  ['settings of controllers', commands.settingsFiles, 0.03],
  ['changes of a live control plane', live.changes, 0.06],
  ['watches', live.watches, 0.02],
  ['running controllers', controllers, 0.04],
  ['reads of a live control plane', live.reads, 0.03],
  ['mutated reads of a live control plane', live.mutatedReads, 0.03],
  ['completion', live.completions, 0.1],
  ['screens', screen, 0.04],
  ['dashboards', dashboard, 0.02],
  ['hostile arguments', commands.hostileArguments, 0.08],
];

/** The kinds of input that `only` names; without it all. */
export function kindsNamed(only?: string): typeof KINDS {
  if (only === undefined) return KINDS;
  return KINDS.filter(([name]) => only.split('|').some((part) => name.includes(part)));
}

/** The case of a seed; `only` names kinds, or parts of their names, separated by |. */
export function caseOf(seed: number, place: Workplace, only?: string): FuzzCase {
  const random = randomOf(seed);
  const kinds = kindsNamed(only);
  let left = random.next() * kinds.reduce((sum, [, , share]) => sum + share, 0);
  const [, make] = kinds.find(([, , share]) => (left -= share) < 0) ?? kinds[0]!;
  return make(random, place);
}
