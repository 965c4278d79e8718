import type { NextStep } from '../../analysis/findings/state/stateCheck.ts';
import { workloadName } from '../../views/words/names.ts';
import type { CommandOf } from '../../views/doctor/stateFinding.ts';
import { commandLine, kubectlLine } from '../commandLine.ts';

const WRITES: ReadonlySet<NextStep['action']> = new Set(['uncordon', 'hold-eviction', 'cancel-eviction']);

/** Flags of answers that depend on gates and flags; uncordon is independent of them. */
const OF_ANSWERS = /^--(?:assume|karmada-version)=/;

/** The next steps of findings as commands for the control plane of these flags. */
export function nextStepCommands(source: readonly string[]): CommandOf {
  const kubectl = (words: readonly string[]) => kubectlLine(words, source);
  return Object.assign((step: NextStep) => nextStepCommand(step, source), { kubectl });
}

/**
 * The command for a next step, to paste. For files, which are read-only, a step that writes becomes a dry run.
 * @param source the flags that name the state and its assumptions
 */
function nextStepCommand(step: NextStep, source: readonly string[]): string {
  const ofFiles = source.some((word) => word.startsWith('--state='));
  const known = step.action === 'uncordon' ? source.filter((word) => !OF_ANSWERS.test(word)) : source;
  return commandLine([
    ...wordsOf(step),
    ...(ofFiles && WRITES.has(step.action) ? ['--dry-run'] : []),
    ...known,
  ]);
}

function wordsOf(step: NextStep): string[] {
  switch (step.action) {
    case 'plan-drain':
      return ['drain', step.cluster, '--dry-run'];
    case 'uncordon':
      return ['uncordon', step.cluster];
    case 'explain':
      return ['explain', workloadName(step.workload), ...step.failing.map((name) => `--if-fails=${name}`)];
    case 'diagnose':
      return ['doctor', `--only=${step.check}`];
    case 'inspect-eviction':
      return ['eviction', 'inspect', workloadName(step.workload)];
    case 'hold-eviction':
      return ['eviction', 'hold', workloadName(step.workload), `--from=${step.cluster}`];
    case 'cancel-eviction':
      return ['eviction', 'cancel', workloadName(step.workload), `--from=${step.cluster}`];
  }
}
