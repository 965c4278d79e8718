import { BaseCommand } from '../cli/baseCommand.ts';
import { flagNames } from '../cli/flagNames.ts';
import { listOutputFlagsWith, outputFlagWith, scopeFlags, stateFlags } from '../cli/flags.ts';
import { Args, Flags, optional } from '../cli/oclif/oclif.ts';
import { ports } from '../cli/ports.ts';
import { print } from '../cli/print.ts';
import { reportFlag, writeReport } from '../cli/report/reportFlag.ts';
import { stateRequest } from '../cli/stateRequest.ts';
import { clusterNamed, oneTarget } from '../cli/targets.ts';
import { duration } from '../cli/values.ts';
import { readTimeline } from '../useCases/timeline/readTimeline.ts';
import { timelineAnswer } from '../views/timeline/timelineAnswer.ts';
import { repeatable } from '../cli/connectionFlags.ts';

/** Formats of -o besides the common ones. */
const FORMS = ['markdown', 'mermaid', 'perfetto'];
const output = listOutputFlagsWith('.workload.name');

export default class Timeline extends BaseCommand {
  static override summary = 'Show what happened, in order of time, and how long each step took.';

  static override description = [
    'From a recording it shows everything: conditions of clusters, taints, evictions, placements, ready replacements,',
    'deleted old copies, downtime in replicas, and flaps. From a live control plane or a state it reconstructs',
    'the newest incident, and lists unknown facts. The sources are then conditions, taints, tasks, Works, Events and',
    'managedFields. KIND/NAME shows one workload, CLUSTER one cluster.',
  ].join(' ');

  static override usage = 'timeline [KIND/NAME | CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    { description: 'A whole recording', command: '<%= config.bin %> timeline --state incident.rec' },
    {
      description: 'One workload',
      command: '<%= config.bin %> timeline deployment/mail-1 -n shop --state incident.rec',
    },
    {
      description: 'For a post-mortem',
      command: '<%= config.bin %> timeline --state incident.rec -o markdown > timeline.md',
    },
    { description: 'What happened last night', command: '<%= config.bin %> timeline --since 12h' },
    {
      description: 'What changed between two snapshots; without --state, up to now',
      command: '<%= config.bin %> timeline --from before.json.gz --state after.json.gz',
    },
    { description: 'What happened to one cluster', command: '<%= config.bin %> timeline frankfurt' },
  ];

  static override args = {
    target: Args.string({
      ...optional,
      multiple: true,
      description: 'one workload (KIND/NAME) or one cluster; default: all',
    }),
  };

  static override flags = {
    ...scopeFlags,
    ...output,
    output: outputFlagWith(...FORMS),
    since: Flags.string({
      summary: 'only this time before now, such as 12h; default: a whole recording, else the newest incident',
      helpValue: 'DURATION',
    }),
    from: Flags.string({
      summary: 'show what changed since this earlier state, given as for --state',
      helpValue: 'PATH',
      ...repeatable,
      exclusive: ['since'],
    }),
    gantt: Flags.boolean({ summary: 'draw bars: the phases of each workload, per cluster' }),
    report: reportFlag,
    ...stateFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Timeline);
    const target = args.target === undefined ? undefined : clusterNamed(oneTarget(args.target));
    const happened = await readTimeline(
      {
        state: stateRequest(flags),
        target,
        namespace: flags.namespace,
        since: duration('--since', flags.since),
        from: flags.from && { files: flags.from },
      },
      ports,
    );
    const single = target?.includes('/') ?? false;
    const isChosen = (flags.since ?? flags.from) !== undefined;
    const input = { ...happened, single, isChosen, gantt: flags.gantt };
    if (flags.report !== undefined) {
      const { historyReport } = await import('../views/report/historyReport.ts');
      await writeReport(flags.report, historyReport(input, flagNames));
    }
    await print(timelineAnswer(input), flags);
  }
}
