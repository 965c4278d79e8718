import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { connectionWords } from '../../cli/commandLine.ts';
import { nextStepCommands } from '../../cli/doctor/nextStepCommand.ts';
import { flagNames } from '../../cli/flagNames.ts';
import { memberFlags, outputFlags, scopeFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { areaFlags, scenarioFlags } from '../../cli/scenario/scenarioFlags.ts';
import { areasNamed, sameFailures } from '../../cli/scenario/scenarioRequest.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { clusterNamed, oneTarget, subjectAndDelay } from '../../cli/targets.ts';
import { duration } from '../../cli/values.ts';
import { explainFailover } from '../../useCases/explanation/explainFailover.ts';
import { explanationAnswer } from '../../views/explanation/explanation.ts';
import { repeatable } from '../../cli/connectionFlags.ts';

/** Here --cluster names a member, not a cluster of the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

export default class FailoverExplain extends BaseCommand {
  static override summary = 'Explain where a workload runs, why, and what happens to it if a cluster fails.';

  static override description = [
    'Without --if-fails it shows:',
    '- its evictions in flight and scheduler status',
    '- why the scheduler chose its clusters',
    '- the outcome if each of them fails, and blockers of a move',
    '',
    'With --if-fails it shows:',
    '- every step from the failure to the new copies, with its time and reason',
    '- which copies keep running',
    '- remedies if no cluster fits',
    '',
    'Both show the verdict of each scheduler filter for each cluster.',
  ].join('\n');

  static override usage =
    'failover explain KIND/NAME [--if-fails CLUSTER] [--recover CLUSTER@DURATION] [--cluster CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'What happens to it if frankfurt fails?',
      command: '<%= config.bin %> failover explain deploy/cart -n shop --if-fails frankfurt',
    },
    {
      description: 'Why does it run there, and why does it not move?',
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
        'one workload or binding: deployment/cart, deploy.apps/cart, shop/deployment/cart, rb/cart-deployment',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  };

  static override flags = {
    namespace: scopeFlags.namespace,
    'if-fails': Flags.string({
      summary: 'simulate the failure of this member cluster, now or after a duration',
      helpValue: 'CLUSTER[@DURATION]',
      ...repeatable,
    }),
    ...areaFlags,
    recover: scenarioFlags.recover,
    cluster: Flags.string({
      summary: 'show the reasons for and against this cluster',
      helpValue: 'CLUSTER',
      ...repeatable,
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
      areas: areasNamed(flags),
      recoveries: (flags.recover ?? []).map((given) => {
        const { subject: cluster, after } = subjectAndDelay('--recover', given);
        if (after === 0) throw new UserError(`--recover ${given}: say when, as in ${cluster}@10m`);
        return { cluster, after };
      }),
      clusters: clusters.map(clusterNamed),
      readyAfter: duration('--ready-after', flags['ready-after']),
    };
    const explained = await explainFailover(request, ports);
    const source = connectionWords(ofSource, stateFlags);
    const commandOf = nextStepCommands(source);
    const sameEvents = sameFailures({ ...flags, fail: flags['if-fails'] }, flagNames.fails);
    await print(explanationAnswer({ ...explained, commandOf, sameEvents }), flags);
  }
}
