import { memberFlags, outputFlags, scopeFlags, stateFlags } from '../../cli/flags.ts';
import { BaseCommand } from '../../cli/baseCommand.ts';
import { Args, Flags } from '../../cli/oclif/oclif.ts';
import { print } from '../../cli/print.ts';
import { memberAssumptions, runScenario } from '../../useCases/scenario/scenario.ts';
import { openStateToRead } from '../../useCases/state/openState.ts';
import { givenDuration, knownCluster, subjectAndDelay } from '../../useCases/selection/subject.ts';
import { bindingNamed } from '../../useCases/selection/target.ts';
import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { bindingIdentity } from '../../engine/objects/identities.ts';
import { explainWorkload } from '../../engine/explanation/workloadExplanation.ts';
import type { Scenario, ScenarioEvent } from '../../engine/scenario.ts';
import { simulate } from '../../engine/simulation/simulate.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import { unconfirmed } from '../../views/assumptions.ts';
import { explanationAnswer } from '../../views/explanation.ts';

/** What an explanation for people says to have been assumed; json has all of it. */
const WORTH_SAYING = new Set([...FAILOVER_SWITCHES, 'now', 'karmadaVersion', 'workloadReadyAfter']);

/** Bindings up to which proposed changes are played through, and not only put to the scheduler. */
const MOST_REPLAYED = 5000;

/** --cluster is about a member here, and not about the kubeconfig. */
const { cluster: _, ...ofState } = stateFlags;

export default class FailoverExplain extends BaseCommand {
  static override summary =
    'Explain where a workload runs, why, and what becomes of it when a cluster fails.';

  static override description = [
    'Without further flags: what is under way for the workload, why the scheduler has it where it is, and which link',
    'is missing if it would not leave a cluster that fails. With --if-fails: every step from the failure to the new',
    'copies with its time and reason, what keeps running meanwhile, and what would help where it has nowhere to',
    'go. All clusters are shown against all filters of the scheduler, then how it chose among them.',
  ].join(' ');

  static override usage =
    'failover explain KIND/NAME [--if-fails CLUSTER] [--cluster CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

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
    const { cluster: _, ...ofSource } = flags;
    const templates = { mostBindings: MOST_REPLAYED };
    const state = await openStateToRead(ofSource, undefined, undefined, { templates });
    const { world, now, configuration, karmadaVersion } = state;
    const binding = bindingNamed(args['kind/name'], world.bindings, flags.namespace);
    const clusters = (flags.cluster ?? []).map((name) => knownCluster('--cluster', name, world));
    const failures = (flags['if-fails'] ?? []).map((given) => {
      const { subject, after } = subjectAndDelay('--if-fails', given);
      return { cluster: knownCluster('--if-fails', subject, world), time: now + after };
    });
    const readyAfter = flags['ready-after'];
    const scenario: Scenario = {
      start: now,
      members:
        readyAfter === undefined
          ? usualMembers(world)
          : { ...usualMembers(world), workloadReadyAfter: givenDuration('--ready-after', readyAfter) },
      events: failures.map(({ cluster, time }) => ({ at: time, action: { type: 'fail', cluster } })),
    };
    const guessed = { unconfirmed: unconfirmed(state.assumptions) };
    const simulation = runScenario(world, scenario, configuration, {
      trace: bindingIdentity(binding),
      ...guessed,
    });
    const calm =
      failures.length > 0 && binding.spec.gracefulEvictionTasks?.length
        ? runScenario(world, { ...scenario, events: [] }, configuration, guessed)
        : simulation;
    const replay = (events: ScenarioEvent[]) =>
      simulate(world, { ...scenario, events: [...events, ...scenario.events] }, configuration, guessed);
    const explanation = explainWorkload(world, {
      binding,
      simulation,
      calm,
      failures,
      clusters,
      configuration,
      ...guessed,
      now,
      workloadReadyAfter: scenario.members.workloadReadyAfter,
      ...(world.bindings.length <= MOST_REPLAYED ? { replay } : {}),
    });
    const assumptions = [
      ...state.assumptions,
      ...memberAssumptions(scenario, readyAfter !== undefined, world),
    ];
    const worthSaying = (name: string) => WORTH_SAYING.has(name);
    await print(explanationAnswer({ explanation, now, karmadaVersion, assumptions, worthSaying }), flags);
  }
}
