import { BaseCommand } from '../cli/baseCommand.ts';
import { connectionWords } from '../cli/commandLine.ts';
import { nextStepCommands } from '../cli/doctor/nextStepCommand.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../cli/exitCodes.ts';
import { listOutputFlagsWith, outputFlagWith, selectionFlags, stateFlags } from '../cli/flags.ts';
import { Flags } from '../cli/oclif/oclif.ts';
import { ports } from '../cli/ports.ts';
import { print } from '../cli/print.ts';
import { selectionFromFlags } from '../cli/selection.ts';
import { stateRequest } from '../cli/stateRequest.ts';
import { wholeNumber } from '../cli/values.ts';
import { isAtLeast } from '../analysis/findings/finding.ts';
import { diagnoseControlPlane } from '../useCases/doctor/diagnoseControlPlane.ts';
import { diagnosisAnswer } from '../views/doctor/diagnosisAnswer.ts';
import { riskText } from '../views/taintPolicy/riskWords.ts';
import { repeatable } from '../cli/connectionFlags.ts';

/** The most findings for which changes are simulated: each takes a few simulations. */
const MAX_CURED = 5;

export default class Doctor extends BaseCommand {
  static override summary = 'Find out why failover does not work, and what to do about it.';

  static override description = [
    'Checks gates, flags, versions, taints, policies, bindings and Works of a control plane against the catalogue of',
    'findings (docs/checks.md). It finds what breaks failover now, what will break it, and known bugs of this Karmada',
    'release. The worst comes first, with evidence and remedy. Checks that could not run are listed; they never count',
    'as passed. With --fail-on the exit code is 1 if there is a finding of that severity or above.',
  ].join(' ');

  static override usage = 'doctor [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'Failover is enabled and nothing moves: why?',
      command: '<%= config.bin %> doctor --host-context host',
    },
    {
      description: 'Only one namespace, without notes about autoscalers',
      command: '<%= config.bin %> doctor -n shop --skip writers',
    },
    {
      description: 'For an issue',
      command: '<%= config.bin %> doctor --state dump/ -o markdown',
    },
    {
      description: 'In a pipeline',
      command: '<%= config.bin %> doctor --fail-on warning -o json',
    },
  ];

  static override flags = {
    only: Flags.string({
      summary: 'run only these checks: ids or topics of docs/checks.md',
      helpValue: 'CHECK',
      ...repeatable,
      delimiter: ',',
    }),
    skip: Flags.string({
      summary: 'skip these checks: ids or topics of docs/checks.md',
      helpValue: 'CHECK',
      ...repeatable,
      delimiter: ',',
    }),
    'fail-on': Flags.option({
      summary: 'exit with 1 if there are findings of this severity or above',
      options: ['warning', 'error'] as const,
      helpValue: 'warning|error',
    })(),
    ...selectionFlags,
    ...stateFlags,
    ...listOutputFlagsWith('.severity'),
    output: outputFlagWith('markdown'),
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(Doctor);
    const diagnosed = await diagnoseControlPlane(
      {
        state: stateRequest(flags),
        selection: selectionFromFlags(flags),
        only: flags.only,
        skip: flags.skip,
        riskWords: riskText,
        cured: wholeNumber('--limit', flags.limit, 0) || MAX_CURED,
      },
      ports,
    );
    await print(
      diagnosisAnswer({
        ...diagnosed,
        commandOf: nextStepCommands(connectionWords(flags, stateFlags)),
      }),
      flags,
    );
    const threshold = flags['fail-on'];
    const failed =
      threshold !== undefined && diagnosed.findings.some(({ severity }) => isAtLeast(severity, threshold));
    return failed ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}
