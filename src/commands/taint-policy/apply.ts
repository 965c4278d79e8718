import { BaseCommand } from '../../cli/baseCommand.ts';
import { manifestFlags } from '../../cli/manifestFlags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { applyTaintPolicies } from '../../cli/taintPolicy/applyTaintPolicies.ts';
import { changeFlags, waitFlags } from '../../cli/taintPolicy/changeFlags.ts';

export default class TaintPolicyApply extends BaseCommand {
  static override summary = 'Apply ClusterTaintPolicies, and say before what they will do.';

  static override description = [
    'Checks the files as the API server and the webhook would, then says which clusters gain or lose which taints now and at',
    'each change of a condition, which workloads would move, be blocked or lost then, what is risky, and what an edit leaves',
    'behind: Karmada takes no taint away because a policy is edited. On a terminal it asks; elsewhere risks have to be accepted',
    'by name. On --state it is a what-if. It ends with 1 if it is refused, or if --diff finds a difference, with 3 if --wait ends',
    'before the taints are there.',
  ].join(' ');

  static override usage = 'taint-policy apply -f FILE [flags]';

  static override examples = [
    {
      description: 'What would happen?',
      command: '<%= config.bin %> taint-policy apply -f policy.yaml --dry-run=server',
    },
    {
      description: 'In a pipeline: refused if it is risky, done once the taints are there',
      command: '<%= config.bin %> taint-policy apply -f policies/ --wait',
    },
    {
      description:
        'All policies of a team from one directory; those that are not there any more go, with their taints',
      command: '<%= config.bin %> taint-policy apply -f policies/ --prune -l team=platform --with-taints',
    },
    {
      description: 'Try it on a captured control plane, and go on from there',
      command: '<%= config.bin %> taint-policy apply -f policy.yaml --state dump/ --save-state after.json',
    },
  ];

  static override flags = {
    ...manifestFlags,
    diff: Flags.boolean({
      summary: 'print what would be different in the policies as kubectl diff does, and write nothing',
    }),
    'field-manager': Flags.string({
      summary: 'whom the API server notes as the owner of the fields; default: karmada-failover',
      helpValue: 'NAME',
      default: 'karmada-failover',
    }),
    'force-conflicts': Flags.boolean({ summary: 'take fields over that other managers own' }),
    prune: Flags.boolean({ summary: 'delete policies with the labels of -l that are not given' }),
    selector: Flags.string({ char: 'l', summary: 'only policies with these labels', helpValue: 'SELECTOR' }),
    ...waitFlags,
    ...changeFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(TaintPolicyApply);
    return applyTaintPolicies(flags);
  }
}
