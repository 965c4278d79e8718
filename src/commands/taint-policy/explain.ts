import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { listOutputFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { explainPolicies } from '../../useCases/taintPolicy/lookAtPolicies.ts';
import { taintPolicyExplanationAnswer } from '../../views/taintPolicy/taintPolicyExplanation.ts';

/** Here --cluster names a member, not a cluster of the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

const CONDITION = /^([^=\s]+)=(True|False|Unknown)$/;

export default class TaintPolicyExplain extends BaseCommand {
  static override summary = 'Say why clusters have their taints, and what would change them.';

  static override description = [
    'For each cluster and each taint: which policies list it, which of their conditions hold and since when, what they wait for,',
    'who put it there, which newer policy decides instead, and what would happen at each change of a condition.',
  ].join(' ');

  static override usage = 'taint-policy explain [NAME] [flags]';

  static override examples = [
    {
      description: 'All taints of one cluster',
      command: '<%= config.bin %> taint-policy explain --cluster frankfurt',
    },
    {
      description: 'What would a policy do if a condition changed?',
      command: '<%= config.bin %> taint-policy explain network --if NetworkAvailable=False',
    },
  ];

  static override args = {
    policy: Args.string({ ...optional, description: 'name of a ClusterTaintPolicy; default: all' }),
  };

  static override flags = {
    cluster: Flags.string({ summary: 'only this cluster', helpValue: 'CLUSTER' }),
    if: Flags.string({
      summary: 'what would happen if this condition had this status (True, False, Unknown)',
      helpValue: 'CONDITION=STATUS',
    }),
    ...ofState,
    ...listOutputFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TaintPolicyExplain);
    const { cluster, if: turned, ...ofSource } = flags;
    const asked = turned === undefined ? undefined : CONDITION.exec(turned);
    if (asked === null)
      throw new UserError(
        `--if ${JSON.stringify(turned)} is not CONDITION=STATUS with True, False or Unknown, such as Ready=False`,
      );
    const question = {
      state: stateRequest(ofSource),
      policy: args.policy,
      cluster,
      asked: asked ? { type: asked[1]!, status: asked[2]! } : undefined,
    };
    await print(taintPolicyExplanationAnswer(await explainPolicies(question, ports)), flags);
  }
}
