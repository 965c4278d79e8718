import type { NextStep } from '../../analysis/findings/state/stateCheck.ts';
import { workloadName } from '../../views/words/names.ts';
import { commandLine } from '../commandLine.ts';

/**
 * The command for a next step, to paste.
 *
 * @param source the flags that name where the state is from
 */
export function nextStepCommand(step: NextStep, source: readonly string[]): string {
  return commandLine([...wordsOf(step), ...source]);
}

function wordsOf(step: NextStep): string[] {
  switch (step.action) {
    case 'plan-drain':
      return ['drain', step.cluster, '--dry-run'];
    case 'uncordon':
      return ['uncordon', step.cluster];
    case 'explain':
      return ['explain', workloadName(step.workload), ...step.failing.map((name) => `--if-fails=${name}`)];
    case 'hold-eviction':
      return ['eviction', 'hold', workloadName(step.workload), `--from=${step.cluster}`];
    case 'cancel-eviction':
      return ['eviction', 'cancel', workloadName(step.workload), `--from=${step.cluster}`];
  }
}
