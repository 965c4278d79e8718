import { drainClusters } from '../cli/drain/drainClusters.ts';
import { drainOptionFlags, drainRunFlags } from '../cli/drain/drainFlags.ts';
import { outputFlags, stateFlags } from '../cli/flags.ts';
import { BaseCommand } from '../cli/baseCommand.ts';
import { Args, optional } from '../cli/oclif/oclif.ts';

export default class Drain extends BaseCommand {
  static override summary = 'Move everything off clusters, safely: cordon, evict, wait for replacements.';

  static override description = [
    'All named clusters are cordoned, then one workload after the other is evicted from them. Its old copy is kept until',
    'its replacement was seen ready. The plan is shown first; a drain that would lose or strand workloads is refused unless',
    'the flag that accepts this is given. Run it again to go on where it stopped. On a terminal it asks before it begins,',
    'unless --yes is given; elsewhere it does not, as kubectl drain. It ends with 0 when all is gone, 1 when it is refused,',
    '3 when it is not finished.',
  ].join(' ');

  static override usage = 'drain CLUSTER... [flags]';

  static override examples = [
    {
      description: 'What would happen, on the live control plane or on a captured one',
      command: '<%= config.bin %> drain frankfurt --dry-run',
    },
    {
      description: 'Drain it, but leave one workload where it is',
      command: '<%= config.bin %> drain frankfurt --skip data/statefulset/ledger',
    },
    {
      description: 'Plan now, look at it, carry out exactly that later',
      command:
        '<%= config.bin %> drain frankfurt --dry-run --out plan.json && <%= config.bin %> drain --plan plan.json',
    },
    {
      description: 'Take it back',
      command: '<%= config.bin %> drain frankfurt --cancel',
    },
  ];

  static override args = {
    cluster: Args.string({ ...optional, multiple: true, description: 'clusters to drain, all together' }),
  };

  static override flags = { ...drainRunFlags, ...drainOptionFlags, ...stateFlags, ...outputFlags };

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(Drain);
    return drainClusters(args.cluster ?? [], flags, typed);
  }
}
