import { listOutputFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { BaseCommand } from '../../cli/baseCommand.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { print } from '../../cli/print.ts';
import {
  isReadyAfterGiven,
  memberAssumptions,
  readScenario,
  runScenario,
  scenarioFlags,
  scenarioFromFlags,
  uneventfulTitle,
} from '../../useCases/scenario/scenario.ts';
import { templatesFor } from '../../useCases/scenario/scenarioTemplates.ts';
import { saveState } from '../../useCases/snapshot/saveState.ts';
import { isSelective, selectedBindings } from '../../useCases/selection/selection.ts';
import { openStateToRead } from '../../useCases/state/openState.ts';
import type { World } from '../../engine/world.ts';
import type { SimulateOptions } from '../../engine/simulation/simulate.ts';
import { narrowed } from '../../engine/simulation/narrowed.ts';
import { unconfirmed } from '../../views/assumptions.ts';
import { simulationAnswer } from '../../views/simulation.ts';

export default class FailoverSimulate extends BaseCommand {
  static override summary = 'Show what would happen: which workloads move, where, when, and which are lost.';

  static override description = [
    "Karmada's own controllers act on the control plane as it is, in virtual time while clusters fail, recover, are",
    'tainted, or manifests are applied: detection, taints, paced evictions, scheduling, Works, health of the new',
    'copies, the end of each eviction task. Without any event it shows what is under way already.',
  ].join(' ');

  static override usage =
    'failover simulate [--fail CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'What if frankfurt fails now?',
      command: '<%= config.bin %> failover simulate --fail frankfurt',
    },
    {
      description: 'It comes back after half an hour',
      command: '<%= config.bin %> failover simulate --fail frankfurt --recover frankfurt@30m',
    },
    {
      description: 'What would this policy change do?',
      command: '<%= config.bin %> failover simulate --apply policy.yaml --fail frankfurt',
    },
    {
      description: 'Every step of every workload, with the evidence, on a captured control plane',
      command: '<%= config.bin %> failover simulate --state dump/ --fail frankfurt --timeline -o wide',
    },
  ];

  static override flags = {
    ...scenarioFlags,
    timeline: Flags.boolean({ summary: 'print every step of every workload' }),
    ...selectionFlags,
    ...stateFlags,
    ...listOutputFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FailoverSimulate);
    const opened = await readScenario(flags.scenario);
    const state = await openStateToRead(flags, undefined, opened, {
      templates: await templatesFor(flags, opened?.file),
    });
    const { world, now, configuration, karmadaVersion } = state;
    const { scenario, title, sources } = await scenarioFromFlags(flags, opened, world, now);
    const told = isSelective(flags) ? selectedBindings(world, flags) : undefined;
    let saved: World | undefined;
    const options: SimulateOptions = {
      unconfirmed: unconfirmed(state.assumptions),
      ...(flags['save-state'] === undefined ? {} : { save: (end) => void (saved = end) }),
    };
    const whole = runScenario(world, scenario, configuration, options, sources);
    if (saved) await saveState(flags['save-state']!, state, saved, whole.end);
    const simulation = told ? narrowed(whole, told) : whole;
    const assumptions = [
      ...state.assumptions,
      ...memberAssumptions(scenario, isReadyAfterGiven(opened, flags), world),
    ];
    await print(
      simulationAnswer({
        simulation,
        title: title || uneventfulTitle(world),
        karmadaVersion,
        assumptions,
        timeline: flags.timeline,
      }),
      flags,
    );
  }
}
