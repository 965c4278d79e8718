import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import { listOutputFlagsWith, stateFlags } from '../../cli/flags.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { clusterNamed } from '../../cli/targets.ts';
import { explainPolicies, withoutKind } from '../../useCases/taintPolicy/explainPolicies.ts';
import { nearMatches } from '../../kubernetes/spelling.ts';
import { taintPolicyExplanationAnswer } from '../../views/taintPolicy/taintPolicyExplanation.ts';

/** Here --cluster names a member, not a cluster of the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

const CONDITION = /^([^=\s]+)=(true|false|unknown)$/i;

/** In Kubernetes' spelling, regardless of case. */
const statusOf = (typed: string) => `${typed[0]!.toUpperCase()}${typed.slice(1).toLowerCase()}`;

export default class TaintPolicyExplain extends BaseCommand {
  static override summary = 'Explain why clusters have their taints, and what would change them.';

  static override description = [
    'For each cluster and each taint it shows which policies list it, which of their conditions hold and since when,',
    'and what they wait for. It also shows who set the taint, which newer policy overrides the others, and what each',
    'change of a condition would do.',
  ].join(' ');

  static override usage = 'taint-policy explain [POLICY] [flags]';

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
    policy: Args.string({
      ...optional,
      multiple: true,
      description: 'name of one ClusterTaintPolicy; default: all',
    }),
  };

  static override flags = {
    cluster: Flags.string({ summary: 'only this cluster', helpValue: 'CLUSTER' }),
    if: Flags.string({
      summary: 'what would happen if this condition had this status (True, False, Unknown)',
      helpValue: 'CONDITION=STATUS',
    }),
    ...ofState,
    ...listOutputFlagsWith('.name'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TaintPolicyExplain);
    const { cluster, if: turned, ...ofSource } = flags;
    const asked = turned === undefined ? undefined : CONDITION.exec(turned);
    if (asked === null)
      throw new UserError(
        `--if ${JSON.stringify(turned)} is not CONDITION=STATUS with True, False or Unknown, such as Ready=False`,
      );
    const [policy, ...others] = withoutKind(args.policy ?? []);
    if (others.length > 0)
      throw new UserError(
        `explain takes one policy, not also ${others.join(', ')}; leave POLICY out for all`,
      );
    const question = {
      state: stateRequest(ofSource),
      policy,
      cluster: cluster === undefined ? undefined : clusterNamed(cluster),
      asked: asked ? { type: asked[1]!, status: statusOf(asked[2]!) } : undefined,
    };
    const explained = await explainPolicies(question, ports);
    const { unknownCondition } = explained.explanation;
    if (unknownCondition) ports.warn(unknownConditionText(unknownCondition));
    await print(taintPolicyExplanationAnswer(explained), ofSource);
  }
}

function unknownConditionText({ type, known }: { type: string; known: string[] }): string {
  const message = `--if: no cluster reports a condition ${type}, and no ClusterTaintPolicy names it`;
  const there = known.length > 0 ? `there are ${known.join(', ')}` : 'no cluster reports any';
  return withSuggestion(message, nearMatches(type, known), there);
}
