import { Args, Command, optional } from '../../cli/oclif.ts';
import { DRY_RUN_BARE } from '../../cli/dryRun.ts';
import { actOnEvictions, riskyEvictionActionFlags } from '../../cli/evictionAction.ts';
import { withoutBooleanValues } from '../../cli/kubectlBooleans.ts';

export default class EvictionCancel extends Command {
  static override summary = 'Call an eviction off: back to the cluster that is being left.';

  static override description = [
    'In one write the task goes and the cluster returns to the scheduling result with the replicas that it had; what the',
    'replacement has gained is given back. The old copy never stopped, so nothing is interrupted. It is impossible where',
    'the old copy is gone, and refused (exit code 1) where it is not ready and a replacement would be given up for it,',
    'unless --allow-loss accepts that. Taints that would evict it again are warned of.',
  ].join(' ');

  static override usage = 'eviction cancel KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Back to where it was',
      command: '<%= config.bin %> eviction cancel deployment/cart -n shop --from member1',
    },
    {
      description: 'All that is leaving a cluster; see first',
      command: '<%= config.bin %> eviction cancel --all --from member1 -A --dry-run=server',
    },
  ];

  static override strict = false;

  static override args = {
    'kind/name': Args.string({
      ...optional,
      description: 'workloads or bindings: deployment/cart, deploy.apps/cart, rb/cart-deployment',
    }),
  };

  static override flags = riskyEvictionActionFlags;

  async run(): Promise<number> {
    this.argv = withoutBooleanValues(this.argv, EvictionCancel.flags, { 'dry-run': DRY_RUN_BARE });
    const { argv, flags } = await this.parse(EvictionCancel);
    return actOnEvictions('cancel', argv as string[], flags);
  }
}
