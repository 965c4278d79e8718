import { Args, Command, optional } from '../../cli/oclif.ts';
import { DRY_RUN_BARE } from '../../cli/dryRun.ts';
import { actOnEvictions, riskyEvictionActionFlags } from '../../cli/evictionAction.ts';
import { withoutBooleanValues } from '../../cli/kubectlBooleans.ts';

export default class EvictionRelease extends Command {
  static override summary = 'Leave a held eviction to Karmada again.';

  static override description = [
    'This takes suppressDeletion away from the task. Karmada then ends it when the new copies report Healthy, or at its',
    'deadline, which may have passed while it was held. It is refused (exit code 1) as long as no other copy has been seen',
    'ready with all of its replicas, which is more than Karmada asks for, unless --allow-loss accepts that.',
  ].join(' ');

  static override usage = 'eviction release KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'What would Karmada do?',
      command: '<%= config.bin %> eviction release deployment/cart -n shop --dry-run=client',
    },
    {
      description: 'Leave it to Karmada',
      command: '<%= config.bin %> eviction release deployment/cart -n shop',
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
    this.argv = withoutBooleanValues(this.argv, EvictionRelease.flags, { 'dry-run': DRY_RUN_BARE });
    const { argv, flags } = await this.parse(EvictionRelease);
    return actOnEvictions('release', argv as string[], flags);
  }
}
