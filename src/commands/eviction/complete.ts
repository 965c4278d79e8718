import { Args, Command, optional } from '../../cli/oclif.ts';
import { DRY_RUN_BARE } from '../../cli/dryRun.ts';
import { actOnEvictions, riskyEvictionActionFlags } from '../../cli/evictionAction.ts';
import { withoutBooleanValues } from '../../cli/kubectlBooleans.ts';

export default class EvictionComplete extends Command {
  static override summary = 'End an eviction now: Karmada removes the old copy without waiting.';

  static override description = [
    'This sets suppressDeletion to false, upon which Karmada ends the task at once, whatever has become of the new copies.',
    'It is refused (exit code 1) as long as no other copy has been seen ready with all of its replicas, unless --allow-loss',
    'accepts that.',
  ].join(' ');

  static override usage = 'eviction complete KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'The old copy has to go now',
      command: '<%= config.bin %> eviction complete deployment/cart -n shop --from member1',
    },
    {
      description: 'Even if nothing replaces it',
      command: '<%= config.bin %> eviction complete deployment/cart -n shop --from member1 --allow-loss',
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
    this.argv = withoutBooleanValues(this.argv, EvictionComplete.flags, { 'dry-run': DRY_RUN_BARE });
    const { argv, flags } = await this.parse(EvictionComplete);
    return actOnEvictions('complete', argv as string[], flags);
  }
}
