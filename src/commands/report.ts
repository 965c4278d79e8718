import { BaseCommand } from '../cli/baseCommand.ts';
import { commandLine, connectionWords } from '../cli/commandLine.ts';
import { flagNames } from '../cli/flagNames.ts';
import { stateFlags } from '../cli/flags.ts';
import { ports } from '../cli/ports.ts';
import { recordingArgument } from '../cli/recordingArgument.ts';
import { pageFlag, writeReport } from '../cli/report/reportFlag.ts';
import { stateRequest } from '../cli/stateRequest.ts';
import type { Block } from '../presentation/model.ts';
import { printed, textOutput } from '../terminal/textOutput.ts';
import { writeToStdout } from '../terminal/stdout.ts';
import { readTimeline } from '../useCases/timeline/readTimeline.ts';
import { historyReport, historyVerdict } from '../views/report/historyReport.ts';

export default class Report extends BaseCommand {
  static override summary = 'Write a recording as an HTML report.';

  static override description = [
    'The page has a one-sentence summary, bars for each workload, and replicas of each cluster over time. It',
    'lists the evictions with the time of each step and the gaps of the recording, and contains the JSON. It opens',
    'from disk and loads nothing. timeline --report writes the same page, also for one workload, cluster or',
    'namespace. From a captured state it shows reconstructed events. Only its owner may read the file; it holds',
    'no secrets.',
  ].join(' ');

  static override usage = 'report RECORDING --out FILE.html [flags]';

  static override examples = [
    {
      description: 'For a post-mortem',
      command: '<%= config.bin %> report incident.rec --out incident.html',
    },
    {
      description: 'Only until a moment',
      command: '<%= config.bin %> report incident.rec --out incident.html --at 2026-11-22T13:19:00Z',
    },
  ];

  static override args = { recording: recordingArgument };

  static override flags = {
    out: pageFlag('--out', { summary: 'the file to write', required: true }),
    at: stateFlags.at,
    assume: stateFlags.assume,
    'karmada-version': stateFlags['karmada-version'],
    v: stateFlags.v,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Report);
    const happened = await readTimeline(
      { state: stateRequest({ ...flags, state: [args.recording] }) },
      ports,
    );
    await writeReport(flags.out!, historyReport({ ...happened, single: false }, flagNames));
    const blocks: Block[] = [
      { type: 'paragraph', words: `${flags.out!}: ${historyVerdict(happened.history)}` },
      {
        type: 'command',
        text: commandLine([
          'timeline',
          flagNames.ofState(args.recording),
          ...connectionWords(flags, stateFlags),
        ]),
      },
    ];
    void writeToStdout(printed({ blocks }, textOutput()));
  }
}
