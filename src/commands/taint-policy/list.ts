import { BaseCommand } from '../../cli/baseCommand.ts';
import { listOutputFlagsWith, stateFlags } from '../../cli/flags.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { listPolicies } from '../../useCases/taintPolicy/explainPolicies.ts';
import { taintPolicyListAnswer } from '../../views/taintPolicy/taintPolicyList.ts';

export default class TaintPolicyList extends BaseCommand {
  static override summary = 'List ClusterTaintPolicies, their taints, and orphaned taints.';

  static override description = [
    'Policies are listed from oldest to newest. If several disagree about a taint, the newest policy wins. Karmada',
    'keeps the taints of a policy that is deleted, edited or no longer applies to a cluster; these are listed',
    'separately.',
  ].join(' ');

  static override usage = 'taint-policy list [flags]';

  static override examples = [
    { description: 'On a live control plane', command: '<%= config.bin %> taint-policy list' },
    {
      description: 'Taints without a policy, on a captured control plane',
      command:
        '<%= config.bin %> taint-policy list --state dump/ -o jsonpath=\'{range .orphans[*]}{.cluster}{"\\n"}{end}\'',
    },
  ];

  static override flags = { ...stateFlags, ...listOutputFlagsWith('.created') };

  async run(): Promise<void> {
    const { flags } = await this.parse(TaintPolicyList);
    await print(taintPolicyListAnswer(await listPolicies(stateRequest(flags), ports)), flags);
  }
}
