import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { commandLine } from '../../cli/commandLine.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../../cli/exitCodes.ts';
import { listOutputFlags, outputFlagWith, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { EXPORTS, reportFlag, writeReport } from '../../cli/report/reportFlag.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { readScenario } from '../../cli/scenario/namedFiles.ts';
import { scenarioFlags } from '../../cli/scenario/scenarioFlags.ts';
import { areasNamed, sameAreas, scenarioRequest } from '../../cli/scenario/scenarioRequest.ts';
import { selectionFromFlags } from '../../cli/selection.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { flagNames } from '../../cli/flagNames.ts';
import { choice, stdinOnce } from '../../cli/values.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import { clustersIn } from '../../useCases/scenario/makeScenario.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import {
  simulateFailover,
  type SimulatedFailover,
  type SimulationRequest,
} from '../../useCases/scenario/simulateFailover.ts';
import { scenarioTitle } from '../../views/simulation/scenarioTitle.ts';
import { simulationAnswer } from '../../views/simulation/simulation.ts';
import { repeatable } from '../../cli/connectionFlags.ts';

/** Outcomes that a script may treat as failures; down: no ready replica at the end, whatever the outcome. */
const FAILURES = ['lost', 'down', 'blocked', 'flaps', 'partly-moves'] as const;

export default class FailoverSimulate extends BaseCommand {
  static override summary = 'Show what would happen: which workloads move, where, when, and which are lost.';

  static override description = [
    "Runs the rules of Karmada's controllers on the state of the control plane, in virtual time. Clusters may fail,",
    'recover or get taints, and manifests may be applied. It covers detection, taints, rate-limited evictions, scheduling,',
    'Works, health of the new copies, and the end of each eviction task. Without a failure or a change it shows what',
    'is in progress already.',
  ].join(' ');

  static override usage =
    'failover simulate [--fail CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'What if frankfurt fails now?',
      command: '<%= config.bin %> failover simulate --fail frankfurt',
    },
    {
      description: 'What if it recovers after half an hour?',
      command: '<%= config.bin %> failover simulate --fail frankfurt --recover frankfurt@30m',
    },
    {
      description: 'What would this policy change do?',
      command: '<%= config.bin %> failover simulate --apply policy.yaml --fail frankfurt',
    },
    {
      description: 'In a script: fail if a workload is lost or down',
      command: '<%= config.bin %> failover simulate --state dump/ --fail frankfurt --fail-on lost,down',
    },
    {
      description: 'Every step of every workload, with the evidence, on a captured control plane',
      command: '<%= config.bin %> failover simulate --state dump/ --fail frankfurt --timeline -o wide',
    },
  ];

  static override flags = {
    ...scenarioFlags,
    'fail-on': Flags.string({
      summary: `exit with 1 if a workload has one of these outcomes: ${FAILURES.join(', ')}`,
      helpValue: 'OUTCOME',
      ...repeatable,
    }),
    timeline: Flags.boolean({ summary: 'print every step of every workload' }),
    gantt: Flags.boolean({
      summary: 'draw bars: when each workload tolerates, leaves, starts and is ready, per cluster',
    }),
    report: reportFlag,
    interactive: Flags.boolean({
      summary: 'open the result in the dashboard',
    }),
    ...selectionFlags,
    ...stateFlags,
    ...listOutputFlags,
    output: outputFlagWith(...EXPORTS),
  };

  async run(): Promise<number> {
    const typed = this.argv;
    const { flags } = await this.parse(FailoverSimulate);
    if (flags.interactive) {
      const { simulateInteractively } = await import('../../cli/dashboard/simulateInteractively.ts');
      return simulateInteractively(flags, this.config.root);
    }
    const { 'save-state': file } = flags;
    if (file === '-') throw new UserError('--save-state -: name a file; the answer goes to stdout');
    const failOn = failuresNamed(flags['fail-on'] ?? []);
    stdinOnce({ '--apply': flags.apply, '--scenario': flags.scenario, '--state': flags.state });
    const opened = await readScenario(flags.scenario);
    const { gantt, report } = flags;
    const isExport = EXPORTS.some((form) => form === flags.output);
    const request = {
      state: stateRequest(flags),
      scenario: await scenarioRequest(flags),
      opened,
      selection: selectionFromFlags(flags),
      save: file === undefined ? undefined : saveTo(file),
      spans: gantt || isExport || report !== undefined,
    };
    const { state, assumptions, ...simulated } = await simulateFailover(request, ports);
    const { scenario, simulation } = simulated;
    const title = scenarioTitle(simulated) || uneventfulTitle(state);
    const { karmadaVersion } = state;
    const together = areasNamed(flags).flatMap((area) =>
      clustersIn(area, state.world).map((cluster) => `${cluster}@${area.after}`),
    );
    // explain has flags for failures and recoveries only
    const isExplained = scenario.events.every(
      ({ action: { type } }) => type === 'fail' || type === 'recover',
    );
    const inFull = [
      ...(flags.timeline ? [] : ['--timeline']),
      ...(flags.output === 'wide' ? [] : ['-o=wide']),
    ];
    const ofClusters = scenario.events.flatMap(({ at, action }) => {
      if (action.type !== 'fail' && action.type !== 'recover') return [];
      const after = at - simulation.start;
      if (action.type === 'fail' && together.includes(`${action.cluster}@${after}`)) return [];
      const when = after > 0 ? `@${formatDuration(after)}` : '';
      return [`${action.type === 'fail' ? '--if-fails' : '--recover'}=${action.cluster}${when}`];
    });
    const input = {
      simulation,
      title,
      sameEvents: isExplained ? [...sameAreas(flags), ...ofClusters] : undefined,
      inFull: inFull.length > 0 ? commandLine(['simulate', ...typed, ...inFull]) : undefined,
      karmadaVersion,
      assumptions,
      timeline: flags.timeline,
      gantt,
    };
    const answer = simulationAnswer(input);
    if (report !== undefined) {
      const { simulationReport } = await import('../../views/report/simulationReport.ts');
      const { curesOfLosses } = await import('../../useCases/scenario/curesOfLosses.ts');
      const cures = curesOfLosses(state, { scenario, simulation }, ports);
      await writeReport(report, simulationReport(input, state.world.clusters, flagNames, cures));
    }
    if (isExport) {
      const { exportsOf } = await import('../../views/timeline/exports.ts');
      Object.assign(answer, exportsOf(input, state.world.clusters));
    }
    await print(answer, flags);
    const fails = simulation.workloads.some(
      ({ outcome, down }) => failOn.has(down ? 'down' : outcome) || failOn.has(outcome),
    );
    return fails ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}

/** The outcomes of `--fail-on lost,down`. Throws a UserError that names the flag and its values. */
function failuresNamed(given: readonly string[]): ReadonlySet<Outcome | 'down'> {
  const named = given.flatMap((one) => one.split(','));
  return new Set(named.map((text) => choice('--fail-on', text.trim(), FAILURES)));
}

function saveTo(file: string): SimulationRequest['save'] {
  return async (...end) => {
    const { savedState } = await import('../../useCases/snapshot/savedState.ts');
    const { writeSnapshot } = await import('../../cli/writeSnapshot.ts');
    await writeSnapshot(file, savedState(...end));
  };
}

/** The title of a simulation without events. */
function uneventfulTitle({ world: { simulation } }: SimulatedFailover['state']): string {
  return simulation?.events.length ? 'The saved simulation, continued' : 'With no further failures';
}
