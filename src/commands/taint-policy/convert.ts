import { BaseCommand } from '../../cli/baseCommand.ts';
import { convertFlags } from '../../cli/taintPolicy/changeFlags.ts';
import { convertTaintPolicies } from '../../cli/taintPolicy/convertTaintPolicies.ts';

export default class TaintPolicyConvert extends BaseCommand {
  static override summary = 'Convert ClusterTaintPolicies between the shipped and the proposed form.';

  static override description = [
    'The shipped form has targetClusters, addOnConditions, removeOnConditions and taints. The proposed form',
    '(--karmada-version proposal) has targetCluster, matchConditions and taintsToAdd, with windows of time. Comments,',
    'order and other objects stay unchanged. Parts without an equivalent are reported with file, line and column. The',
    'annotation karmada-failover/converted keeps them, and a conversion back gives the same file. If a policy',
    'would behave differently, nothing is converted and the exit code is 1; --accept accepts such a difference.',
    'Without --in-place and --out the manifests go to stdout.',
  ].join(' ');

  static override usage = 'taint-policy convert -f FILE --to shipped|proposed [flags]';

  static override examples = [
    {
      description: 'Convert a policy to the proposed form',
      command: '<%= config.bin %> taint-policy convert -f policy.yaml --to proposed',
    },
    {
      description: 'All policies of a directory, in place; accept that the shipped form has no windows',
      command:
        '<%= config.bin %> taint-policy convert -f policies/ --to shipped --accept durations --in-place',
    },
    {
      description: 'Findings as JSON',
      command: '<%= config.bin %> taint-policy convert -f policies/ --to shipped -o json',
    },
  ];

  static override flags = convertFlags;

  async run(): Promise<number> {
    const typed = this.argv;
    const { flags } = await this.parse(TaintPolicyConvert);
    return convertTaintPolicies({ ...flags, typed });
  }
}
