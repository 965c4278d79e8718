import { BaseCommand } from '../../cli/baseCommand.ts';
import { manifestFlags, outputFlags, stateFlags } from '../../cli/flags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { convertTaintPolicies } from '../../cli/taintPolicy/convertTaintPolicies.ts';
import { acceptableCodes } from '../../analysis/taintPolicy/conversion/findings.ts';
import { policyForms } from '../../analysis/taintPolicy/conversion/forms.ts';

export default class TaintPolicyConvert extends BaseCommand {
  static override summary = 'Convert ClusterTaintPolicies between the shipped form and that of the design.';

  static override description = [
    'The shipped form has targetClusters, addOnConditions, removeOnConditions and taints; the proposed one, of --karmada-version',
    'proposal, has targetCluster, matchConditions and taintsToAdd with windows of time. Comments and order stay, and so does all that',
    'is no policy, byte for byte. What cannot be carried over is named with file, line and column, and kept in the annotation',
    'karmada-failover/converted, so that the way back gives the same file. If a policy would behave differently, nothing is',
    'converted until you accept that by name; the exit code is 1 then. Without --in-place and --out the manifests go to stdout.',
  ].join(' ');

  static override usage = 'taint-policy convert -f FILE --to shipped|proposed [flags]';

  static override examples = [
    {
      description: 'What would the design make of a policy?',
      command: '<%= config.bin %> taint-policy convert -f policy.yaml --to proposed',
    },
    {
      description: 'All policies of a directory, in their files, although the shipped form does not wait',
      command:
        '<%= config.bin %> taint-policy convert -f policies/ --to shipped --accept durations --in-place',
    },
    {
      description: 'What does not carry over, for a program',
      command: '<%= config.bin %> taint-policy convert -f policies/ --to shipped -o json',
    },
  ];

  static override flags = {
    ...manifestFlags,
    to: Flags.option({
      summary: 'the form that the policies are to have',
      options: policyForms,
      required: true,
      helpValue: policyForms.join('|'),
    })(),
    accept: Flags.string({
      summary:
        'accept that policies behave differently in this, by its printed name; several with commas between them',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      options: acceptableCodes,
    }),
    'in-place': Flags.boolean({ char: 'i', summary: 'write the files themselves, each whole or not at all' }),
    out: Flags.string({ summary: 'write all manifests to this file', helpValue: 'FILE' }),
    v: stateFlags.v,
    ...outputFlags,
  };

  async run(): Promise<number> {
    const typed = this.argv;
    const { flags } = await this.parse(TaintPolicyConvert);
    return convertTaintPolicies({ ...flags, typed });
  }
}
