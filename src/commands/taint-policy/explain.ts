import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { listOutputFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { explainTaintPolicies } from '../../engine/taintPolicy/explain.ts';
import { openStateToRead } from '../../useCases/state/openState.ts';
import { knownCluster } from '../../useCases/selection/knownCluster.ts';
import { POLICY_KINDS } from '../../useCases/taintPolicy/policyKinds.ts';
import { knownPolicy } from '../../useCases/taintPolicy/knownPolicy.ts';
import { taintPolicyExplanationAnswer } from '../../views/taintPolicy/taintPolicyExplanation.ts';

/** --cluster is about a member here, and not about the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

const CONDITION = /^([^=\s]+)=(True|False|Unknown)$/;
/** What the explanation rests on. */
const ABOUT = new Set(['now', 'karmadaVersion', 'Failover']);

export default class TaintPolicyExplain extends BaseCommand {
  static override summary = 'Say why clusters have their taints, and what would change them.';

  static override description = [
    'For each cluster and each taint: which policies list it, which of their conditions hold and since when, what they wait for,',
    'who put it there, which newer policy has the last word, and what would happen at each change of a condition.',
  ].join(' ');

  static override usage = 'taint-policy explain [NAME] [flags]';

  static override examples = [
    {
      description: 'All taints of one cluster',
      command: '<%= config.bin %> taint-policy explain --cluster frankfurt',
    },
    {
      description: 'What would a policy do if a condition turned?',
      command: '<%= config.bin %> taint-policy explain network --if NetworkAvailable=False',
    },
  ];

  static override args = {
    policy: Args.string({ ...optional, description: 'name of a ClusterTaintPolicy; default: all' }),
  };

  static override flags = {
    cluster: Flags.string({ summary: 'this cluster alone', helpValue: 'CLUSTER' }),
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
    const { world, configuration, now, karmadaVersion, assumptions, server } = await openStateToRead(
      stateRequest(ofSource),
      ports,
      { kinds: POLICY_KINDS },
    );
    server?.close();
    const policy = args.policy === undefined ? undefined : knownPolicy(args.policy, world);
    const explanation = explainTaintPolicies(world, configuration, now, {
      policy,
      cluster: cluster === undefined ? undefined : knownCluster('cluster', cluster, world),
      asked: asked ? { type: asked[1]!, status: asked[2]! } : undefined,
    });
    const own = assumptions.filter(({ name }) => ABOUT.has(name));
    await print(
      taintPolicyExplanationAnswer({ explanation, assumptions: own, karmadaVersion, policy }),
      flags,
    );
  }
}
