import { BaseCommand } from '../../cli/baseCommand.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { changeFlags } from '../../cli/taintPolicy/changeFlags.ts';
import { deleteTaintPolicies } from '../../cli/taintPolicy/deleteTaintPolicies.ts';

export default class TaintPolicyDelete extends BaseCommand {
  static override summary = 'Delete ClusterTaintPolicies, and their taints if asked.';

  static override description = [
    'Karmada keeps the taints of a policy that is deleted. This command names them, and with --with-taints it removes those that',
    'the policy put there and that nobody else owns. It does so before it deletes the policy, so that the same command can resume',
    'after an interruption. It leaves alone what has changed since it looked. The exit code is 1 if it is refused, and 3 if it',
    'is not finished.',
  ].join(' ');

  static override usage = 'taint-policy delete NAME... [flags]';

  static override examples = [
    {
      description: 'What would stay behind?',
      command: '<%= config.bin %> taint-policy delete network --dry-run',
    },
    {
      description: 'Delete a policy and the taints that it put on clusters',
      command: '<%= config.bin %> taint-policy delete network --with-taints --yes',
    },
    {
      description: 'Plan now, look at the plan, carry out exactly that later',
      command:
        '<%= config.bin %> taint-policy delete network --with-taints --dry-run --out plan.json && <%= config.bin %> taint-policy delete --plan plan.json',
    },
  ];

  static override args = {
    policy: Args.string({ ...optional, multiple: true, description: 'names of ClusterTaintPolicies' }),
  };

  static override flags = {
    ...changeFlags,
    out: Flags.string({ summary: 'save the plan to this file', helpValue: 'FILE' }),
    plan: Flags.string({
      summary: 'carry out the plan in this file, if it still holds',
      helpValue: 'FILE',
    }),
    'ignore-not-found': Flags.boolean({ summary: 'it is no error if there is no policy of a name' }),
  };

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(TaintPolicyDelete);
    return deleteTaintPolicies(args.policy ?? [], { ...flags, typed });
  }
}
