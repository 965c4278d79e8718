import { BaseCommand } from '../cli/baseCommand.ts';
import { flagNames } from '../cli/flagNames.ts';
import { listOutputFlagsWith, outputFlagWith, scopeFlags, stateFlags } from '../cli/flags.ts';
import { Args, Flags, optional } from '../cli/oclif/oclif.ts';
import { ports } from '../cli/ports.ts';
import { print } from '../cli/print.ts';
import { reportFlag, writeReport } from '../cli/report/reportFlag.ts';
import { stateRequest } from '../cli/stateRequest.ts';
import { clusterNamed, oneTarget } from '../cli/targets.ts';
import { whatHappened } from '../useCases/timeline/whatHappened.ts';
import { timelineAnswer } from '../views/timeline/timelineAnswer.ts';

/** The forms besides those of every command. */
const FORMS = ['markdown', 'mermaid', 'perfetto'];
const output = listOutputFlagsWith('.workload.name');

export default class Timeline extends BaseCommand {
  static override summary = 'Tell what happened, in one order, and how long each step took.';

  static override description = [
    'Of a recording it tells all that was seen: when a cluster ceased to be Ready, its taints, evictions, placements, when',
    'replacements were ready and old copies gone, how many replicas were missing for how long, and what flapped. Of a live',
    'control plane, or a state, it puts together what conditions, taints, tasks, Works and Events still tell, and from managedFields',
    'who changed taints. It names what is not known. With KIND/NAME it tells the steps of one workload, with CLUSTER those of one cluster.',
  ].join(' ');

  static override usage = 'timeline [KIND/NAME | CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    { description: 'All that was recorded', command: '<%= config.bin %> timeline --state incident.rec' },
    {
      description: 'One workload',
      command: '<%= config.bin %> timeline deployment/checkout -n shop --state incident.rec',
    },
    {
      description: 'For a post-mortem',
      command: '<%= config.bin %> timeline --state incident.rec -o markdown > timeline.md',
    },
    { description: 'What the control plane still tells', command: '<%= config.bin %> timeline frankfurt' },
  ];

  static override args = {
    target: Args.string({
      ...optional,
      multiple: true,
      description: 'a workload, KIND/NAME, or a cluster',
    }),
  };

  static override flags = {
    ...scopeFlags,
    ...output,
    output: outputFlagWith(...FORMS),
    gantt: Flags.boolean({ summary: 'draw bars: what went on with each workload, cluster by cluster' }),
    report: reportFlag,
    ...stateFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Timeline);
    const target = args.target === undefined ? undefined : clusterNamed(oneTarget(args.target));
    const happened = await whatHappened(
      { state: stateRequest(flags), target, namespace: flags.namespace },
      ports,
    );
    const single = target?.includes('/') ?? false;
    const input = { ...happened, single, gantt: flags.gantt };
    if (flags.report !== undefined) {
      const { historyReport } = await import('../views/report/historyReport.ts');
      await writeReport(flags.report, historyReport(input, flagNames));
    }
    await print(timelineAnswer(input), flags);
  }
}
