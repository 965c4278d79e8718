import { BaseCommand } from '../../cli/baseCommand.ts';
import { listOutputFlagsWith, memberFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { selectionFromFlags } from '../../cli/selection.ts';
import { hasChanges } from '../../cli/watching.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { clusterAmong } from '../../cli/targets.ts';
import { duration } from '../../cli/values.ts';
import { isSelective } from '../../useCases/selection/selection.ts';
import { statusOfFailover } from '../../useCases/status/failoverStatus.ts';
import { failoverStatusAnswer } from '../../views/status/failoverStatus.ts';

export default class FailoverStatus extends BaseCommand {
  static override summary =
    'Show whether failover is on, evictions, free capacity, and what the loss of each cluster would cost.';

  static override description = [
    'Cluster failover needs a feature gate, a flag, and NoExecute taints on clusters that fail. This command shows',
    'their values and sources. For each cluster it shows taints and who set them, workloads,',
    'evictions, free capacity, and the cost of its loss. With CLUSTER it lists the workloads on that cluster. With --watch',
    'it keeps running and prints a line for each cluster that changes.',
  ].join(' ');

  static override usage = 'failover status [CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'The whole fleet',
      command: '<%= config.bin %> failover status --karmada-context karmada',
    },
    {
      description: 'One cluster and what runs on it',
      command: '<%= config.bin %> failover status frankfurt',
    },
    {
      description: 'Watch while something fails',
      command: '<%= config.bin %> failover status --watch',
    },
    {
      description: "With the gates and flags of Karmada's components",
      command: '<%= config.bin %> failover status --host-context host',
    },
    {
      description: 'On a captured control plane with an unknown gate',
      command: '<%= config.bin %> failover status --state dump/ --assume Failover=true',
    },
  ];

  static override args = {
    cluster: Args.string({ ...optional, description: 'show only this cluster, in full' }),
    // of "cluster frankfurt", as kubectl takes it
    name: Args.string({ ...optional, hidden: true }),
  };

  static override flags = {
    ...selectionFlags,
    watch: Flags.boolean({ char: 'w', summary: 'keep running: print each cluster again when it changes' }),
    ...memberFlags,
    ...listOutputFlagsWith('.replicas'),
    ...stateFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FailoverStatus);
    const cluster = clusterAmong([args.cluster, args.name]);
    if (hasChanges(flags)) {
      const { printFailoverStatus } = await import('../../cli/printFailoverStatus.ts');
      return printFailoverStatus(cluster, flags);
    }
    const request = {
      state: stateRequest(flags),
      cluster,
      selection: selectionFromFlags(flags),
      readyAfter: duration('--ready-after', flags['ready-after']),
    };
    const opened = await statusOfFailover(request, ports);
    const shown = { detailed: cluster !== undefined, selective: isSelective(request.selection) };
    await print(failoverStatusAnswer({ ...opened, ...shown }), flags);
  }
}
