import { BaseCommand } from '../../cli/baseCommand.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../../cli/exitCodes.ts';
import { memberFlags, outputFlags, stateFlags } from '../../cli/flags.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { recordingArgument } from '../../cli/recordingArgument.ts';
import { assumedFromFlags } from '../../cli/stateRequest.ts';
import { duration } from '../../cli/values.ts';
import { checkReplay } from '../../useCases/replay/checkReplay.ts';
import { replayCheckAnswer } from '../../views/simulation/replayCheck.ts';

export default class ReplayCheck extends BaseCommand {
  static override summary = 'Compare predictions with a recording.';

  static override description = [
    'Simulates from the first state of the recording. What Karmada does not decide comes from the recording: conditions of clusters, manual taints, changed policies and templates, health. Then it compares each step of each workload and gives a verdict:',
    '',
    'agree   the same steps',
    'race    the steps of another processing order (Karmada guarantees none)',
    'untold  other steps, after an input that is not in the recording: no proof',
    'differ  other steps',
    '',
    'The exit code is 1 if a step differs although its prediction was certain. The recording and the answer hold no secrets: please report differences.',
  ].join('\n');

  static override usage = 'replay check RECORDING [flags]';

  static override examples = [
    {
      description: 'Did the simulation predict it?',
      command: '<%= config.bin %> replay check incident.rec --assume Failover=true',
    },
    { description: 'For a report', command: '<%= config.bin %> replay check incident.rec -o json' },
  ];

  static override args = { recording: recordingArgument };

  static override flags = {
    ...memberFlags,
    ...outputFlags,
    assume: stateFlags.assume,
    'karmada-version': stateFlags['karmada-version'],
    v: stateFlags.v,
  };

  async run(): Promise<number> {
    const { args, flags } = await this.parse(ReplayCheck);
    const { scenario, ...checked } = await checkReplay(
      {
        file: args.recording,
        given: assumedFromFlags(flags),
        readyAfter: duration('--ready-after', flags['ready-after']),
      },
      ports,
    );
    await print(
      replayCheckAnswer({ ...checked, recording: args.recording, events: scenario.events.length }),
      flags,
    );
    const isWrong = checked.workloads.some(
      ({ verdict, certainty }) => verdict === 'differ' && certainty === 'certain',
    );
    return isWrong ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}
