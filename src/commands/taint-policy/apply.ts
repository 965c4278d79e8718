import { BaseCommand } from '../../cli/baseCommand.ts';
import { applyTaintPolicies } from '../../cli/taintPolicy/applyTaintPolicies.ts';
import { applyFlags } from '../../cli/taintPolicy/changeFlags.ts';

export default class TaintPolicyApply extends BaseCommand {
  static override summary = 'Show what ClusterTaintPolicies will do, then apply them.';

  static override description = [
    'Checks the files as the API server and the webhook would. Then it shows the effect:',
    '- which clusters gain or lose which taints, now and when a condition changes',
    '- which workloads would move, be blocked or be lost',
    '- risks',
    '- taints that stay after an edit, because Karmada does not remove them',
    '',
    'On a terminal it asks; elsewhere accept each risk with --accept. With --state it only shows the effect.',
    '',
    'Exit codes:',
    '1  the change is refused, or --diff finds a difference',
    '3  --wait ended before the taints were set',
  ].join('\n');

  static override usage = 'taint-policy apply -f FILE [flags]';

  static override examples = [
    {
      description: 'What would happen?',
      command: '<%= config.bin %> taint-policy apply -f policy.yaml --dry-run=server',
    },
    {
      description: 'In a pipeline: refuse risks, and wait until the taints are there',
      command: '<%= config.bin %> taint-policy apply -f policies/ --wait',
    },
    {
      description:
        'All policies of a team from one directory; delete those that are no longer in it, with their taints',
      command: '<%= config.bin %> taint-policy apply -f policies/ --prune -l team=platform --with-taints',
    },
    {
      description: 'Try it on a captured control plane, and continue from there',
      command: '<%= config.bin %> taint-policy apply -f policy.yaml --state dump/ --save-state after.json',
    },
  ];

  static override flags = applyFlags;

  async run(): Promise<number> {
    const typed = this.argv;
    const { flags } = await this.parse(TaintPolicyApply);
    return applyTaintPolicies({ ...flags, typed });
  }
}
