import { BaseCommand } from '../cli/baseCommand.ts';
import { needTerminal } from '../cli/dashboard/needTerminal.ts';
import { UserError } from '../cli/errors.ts';
import { scopeFlags, stateFlags } from '../cli/flags.ts';
import { Flags } from '../cli/oclif/oclif.ts';

export default class Dashboard extends BaseCommand {
  static override summary = 'Watch failover: clusters, evictions, workloads and events on one screen.';

  static override description = [
    'The first screen shows whether failover is on, clusters that are not Ready and their taints, and evictions with their deadlines. It also shows the outcome for each workload if its cluster fails.',
    '',
    'Enter  opens the selected item: a cluster, a workload, an explanation',
    'Esc    returns to the previous page',
    '?      lists the keys',
    '',
    'Nothing is written to the control plane unless you give --allow-actions. Then D drains, C cordons, H holds, and so on. Each action shows its plan and asks, with the name of the context.',
  ].join('\n');

  static override usage = 'dashboard [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'Follow a control plane',
      command: '<%= config.bin %> dashboard --karmada-context karmada',
    },
    {
      description: 'Replay a recording (key r)',
      command: '<%= config.bin %> dashboard --state incident.rec',
    },
    {
      description: 'With actions: drains, cordons, evictions, taint policies',
      command: '<%= config.bin %> dashboard --karmada-context karmada --allow-actions',
    },
    {
      description: 'Replay decisions of controllers (controller run --observe -o json)',
      command: '<%= config.bin %> dashboard --karmada-context karmada --controller-log observed.jsonl',
    },
    { description: 'A captured control plane', command: '<%= config.bin %> dashboard --state dump/' },
    {
      description: 'The evictions as text',
      command: '$ echo :evictions | <%= config.bin %> dashboard --state dump/ --plain',
    },
  ];

  static override flags = {
    namespace: scopeFlags.namespace,
    'all-namespaces': scopeFlags['all-namespaces'],
    plain: Flags.boolean({
      summary:
        'text instead of a screen: type a line, read a page; for screen readers, pipes and simple terminals',
    }),
    'allow-actions': Flags.boolean({
      summary:
        'let keys drain, cordon, hold, release, cancel and change taint policies; each shows its plan and asks',
    }),
    'controller-log': Flags.string({
      summary: 'replay decisions of controllers: the output of controller run -o json',
      helpValue: 'FILE',
    }),
    ...stateFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(Dashboard);
    if (flags.state?.includes('-'))
      throw new UserError('--state -: the dashboard takes keys from stdin; write the state to a file');
    if (flags['controller-log'] === '-')
      throw new UserError(
        '--controller-log -: the dashboard takes keys from stdin; write the lines to a file',
      );
    const plain = flags.plain ?? process.env['INK_SCREEN_READER'] === 'true';
    checkActions({ ...flags, plain });
    if (!plain)
      needTerminal(
        'the dashboard',
        'give --plain to type lines and read text, or use failover status, eviction inspect and failover explain',
      );
    const { showDashboard } = await import('../cli/dashboard/showDashboard.ts');
    return showDashboard({ ...flags, plain }, this.config.root);
  }
}

/** Throws a UserError for flags that allow actions on a captured state, or without a screen to confirm them. */
function checkActions({
  'allow-actions': mayAct,
  state,
  plain,
}: {
  'allow-actions'?: boolean;
  state?: string[] | undefined;
  plain?: boolean;
}): void {
  if (!mayAct) return;
  if (state?.length)
    throw new UserError('--allow-actions: --state reads files, which nothing changes; leave one of them out');
  if (plain)
    throw new UserError(
      '--allow-actions asks on a screen, and --plain has none; leave one of them out, or run the commands that c lists',
    );
}
