import { BaseCommand } from '../../cli/baseCommand.ts';
import { Args, optional } from '../../cli/oclif/oclif.ts';
import { deleteFlags } from '../../cli/taintPolicy/changeFlags.ts';
import { deleteTaintPolicies } from '../../cli/taintPolicy/deleteTaintPolicies.ts';

export default class TaintPolicyDelete extends BaseCommand {
  static override summary = 'Delete ClusterTaintPolicies, and their taints if asked.';

  static override description = [
    'Karmada keeps the taints of a deleted policy. This command names them. With --with-taints it first removes those',
    'that the policy set and that have no other owner, then deletes the policy. After an interruption, run it again.',
    'An object that changes in the meantime is left unchanged. The exit code is 1 if the deletion is refused, and 3',
    'if it is not finished.',
  ].join(' ');

  static override usage = 'taint-policy delete POLICY... [flags]';

  static override examples = [
    {
      description: 'Which taints would stay?',
      command: '<%= config.bin %> taint-policy delete network --dry-run',
    },
    {
      description: 'Delete a policy and the taints that it set',
      command: '<%= config.bin %> taint-policy delete network --with-taints --yes',
    },
    {
      description: 'Plan now, review the plan, execute it later',
      command:
        '<%= config.bin %> taint-policy delete network --with-taints --dry-run --out plan.json && <%= config.bin %> taint-policy delete --plan plan.json',
    },
  ];

  static override args = {
    policy: Args.string({ ...optional, multiple: true, description: 'names of ClusterTaintPolicies' }),
  };

  static override flags = deleteFlags;

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(TaintPolicyDelete);
    return deleteTaintPolicies(args.policy ?? [], { ...flags, typed });
  }
}
