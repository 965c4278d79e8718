import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { memberFlags, outputFlags, scopeFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { clusterNamed, subjectAndDelay } from '../../cli/subject.ts';
import { oneTarget } from '../../cli/targets.ts';
import { duration } from '../../cli/values.ts';
import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { explainFailover } from '../../useCases/explanation/explainFailover.ts';
import { explanationAnswer } from '../../views/explanation.ts';

/** What an explanation for people says to have been assumed; json has all of it. */
const WORTH_SAYING = new Set([...FAILOVER_SWITCHES, 'now', 'karmadaVersion', 'workloadReadyAfter']);

/** --cluster is about a member here, and not about the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

export default class FailoverExplain extends BaseCommand {
  static override summary =
    'Explain where a workload runs, why, and what becomes of it when a cluster fails.';

  static override description = [
    'Without further flags: what is under way for the workload, why the scheduler has it where it is, what the failure of',
    'each of its clusters would come to, and which link is missing if it would not leave one that fails. With --if-fails: every step from the failure to the new',
    'copies with its time and reason, what keeps running meanwhile, and what would help where it has nowhere to',
    'go. All clusters are shown against all filters of the scheduler, then how it chose among them.',
  ].join(' ');

  static override usage =
    'failover explain KIND/NAME [--if-fails CLUSTER] [--recover CLUSTER@DURATION] [--cluster CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'What becomes of it when frankfurt fails?',
      command: '<%= config.bin %> failover explain deploy/cart -n shop --if-fails frankfurt',
    },
    {
      description: 'Why is it where it is, and why does it not move?',
      command: '<%= config.bin %> failover explain deploy/cart -n shop',
    },
    {
      description: 'Why not tokyo?',
      command: '<%= config.bin %> failover explain deploy/cart -n shop --if-fails frankfurt --cluster tokyo',
    },
    {
      description: 'One cluster after the other, with all evidence',
      command:
        '<%= config.bin %> failover explain deploy/cart --state dump/ --if-fails frankfurt --if-fails dublin@10m -o wide',
    },
  ];

  static override args = {
    'kind/name': Args.string({
      description:
        'a workload or binding: deployment/cart, deploy.apps/cart, shop/deployment/cart, rb/cart-deployment',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  };

  static override flags = {
    namespace: scopeFlags.namespace,
    'if-fails': Flags.string({
      summary: 'play through the failure of this member cluster, now or after a duration',
      helpValue: 'CLUSTER[@DURATION]',
      multiple: true,
      multipleNonGreedy: true,
    }),
    recover: Flags.string({
      summary: 'this member cluster is back after a duration',
      helpValue: 'CLUSTER@DURATION',
      multiple: true,
      multipleNonGreedy: true,
    }),
    cluster: Flags.string({
      summary: 'say all that speaks for and against this cluster',
      helpValue: 'CLUSTER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...memberFlags,
    ...ofState,
    ...outputFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FailoverExplain);
    const { cluster: clusters = [], ...ofSource } = flags;
    const request = {
      state: stateRequest(ofSource),
      target: oneTarget(args['kind/name']),
      namespace: flags.namespace,
      failures: (flags['if-fails'] ?? []).map((given) => {
        const { subject, after } = subjectAndDelay('--if-fails', given);
        return { cluster: subject, after };
      }),
      recoveries: (flags.recover ?? []).map((given) => {
        const { subject: cluster, after } = subjectAndDelay('--recover', given);
        if (after === 0) throw new UserError(`--recover ${given}: say when, as in ${cluster}@10m`);
        return { cluster, after };
      }),
      clusters: clusters.map(clusterNamed),
      readyAfter: duration('--ready-after', flags['ready-after']),
    };
    const explained = await explainFailover(request, ports);
    const worthSaying = (name: string) => WORTH_SAYING.has(name);
    await print(explanationAnswer({ ...explained, worthSaying }), flags);
  }
}
