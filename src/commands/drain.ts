import { drainClusters } from '../cli/drain/drainClusters.ts';
import { drainOptionFlags, drainRunFlags } from '../cli/drain/drainFlags.ts';
import { outputFlags, stateFlags } from '../cli/flags.ts';
import { BaseCommand } from '../cli/baseCommand.ts';
import { Args, optional } from '../cli/oclif/oclif.ts';

export default class Drain extends BaseCommand {
  static override summary = 'Move all workloads off clusters safely: cordon, evict, wait for replacements.';

  static override description = [
    'Cordons all named clusters, evicts their workloads one by one, and keeps each old copy until its replacement is ready. It shows the plan first. A drain that would lose or strand workloads is refused unless you give the flag that accepts this. Run it again to resume where it stopped. On a terminal it asks before it begins, unless you give --yes; elsewhere it does not ask, like kubectl drain.',
    '',
    'Exit codes:',
    '0  all workloads have left',
    '1  the drain is refused',
    '3  the drain is not finished',
  ].join('\n');

  static override usage = 'drain CLUSTER... [flags]';

  static override examples = [
    {
      description: 'What would happen?',
      command: '<%= config.bin %> drain frankfurt --dry-run',
    },
    {
      description: 'Drain it, but leave one workload there',
      command: '<%= config.bin %> drain frankfurt --skip data/statefulset/ledger',
    },
    {
      description: 'Plan now, review the plan, execute it later',
      command:
        '<%= config.bin %> drain frankfurt --dry-run --out plan.json && <%= config.bin %> drain --plan plan.json',
    },
    {
      description: 'Undo it',
      command: '<%= config.bin %> drain frankfurt --cancel',
    },
  ];

  static override args = {
    cluster: Args.string({ ...optional, multiple: true, description: 'clusters to drain together' }),
  };

  static override flags = { ...drainRunFlags, ...drainOptionFlags, ...stateFlags, ...outputFlags };

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(Drain);
    return drainClusters(args.cluster ?? [], flags, typed);
  }
}
