import {
  changesOf,
  commonAssumptions,
  scenarioAssumptions,
  versionNamed,
} from '../../useCases/scenario/diff.ts';
import { assumptionsFromFlags } from '../../useCases/state/assumptions.ts';
import { UserError } from '../../cli/errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../../cli/exitCodes.ts';
import { listOutputFlags, stateFlags } from '../../cli/flags.ts';
import { BaseCommand } from '../../cli/baseCommand.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { print } from '../../cli/print.ts';
import {
  checkPatches,
  isReadyAfterGiven,
  memberAssumptions,
  readScenario,
  scenarioFlags,
  scenarioFromFlags,
  scenarioProblem,
} from '../../useCases/scenario/scenario.ts';
import { asVersionSees, openState, type OpenedScenario } from '../../useCases/state/openState.ts';
import { compareSides, differs, type Side } from '../../engine/comparison/compareSides.ts';
import { OTHER_ORDERS } from '../../engine/simulation/otherOrders.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { dialectOf } from '../../karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../karmada/resolveConfiguration.ts';
import { failoverDiffAnswer } from '../../views/failoverDiff.ts';
import { sayWarning } from '../../terminal/messages.ts';

const many = { multiple: true, multipleNonGreedy: true } as const;

export default class FailoverDiff extends BaseCommand {
  static override summary = 'Show what another version, other flags or other policies would change.';

  static override description = [
    'The failure of each cluster, or the scenario that is given, is simulated twice, and each workload that fares',
    'differently is shown: moves now, is lost, is blocked, leaves sooner or later, misses replicas longer. After it come',
    'tolerations that are no longer added, purge modes that are no longer known, and the gates and flags that keep the',
    "first's behaviour. The exit code is 1 if something differs.",
  ].join(' ');

  static override usage =
    'failover diff [--from VERSION] [--to VERSION] [--assume-to NAME=VALUE] [--apply-to FILE] [flags]';

  static override examples = [
    {
      description: 'What does an upgrade change?',
      command: '<%= config.bin %> failover diff --from v1.13 --to v1.18',
    },
    {
      description: 'What would eviction on NoExecute taints do?',
      command:
        '<%= config.bin %> failover diff --assume-to Failover=true --assume-to enable-no-execute-taint-eviction=true',
    },
    {
      description: 'What would this policy change, should frankfurt fail?',
      command: '<%= config.bin %> failover diff --apply-to policy.yaml --fail frankfurt',
    },
  ];

  static override flags = {
    from: Flags.string({
      summary: 'the Karmada version to compare from; default: as detected',
      helpValue: 'VERSION',
    }),
    to: Flags.string({
      summary: 'the Karmada version to compare with; default: that of --from',
      helpValue: 'VERSION',
    }),
    'assume-to': Flags.string({
      summary: 'a feature gate or flag of the second alone',
      helpValue: 'NAME=VALUE',
      ...many,
    }),
    'apply-to': Flags.string({
      summary:
        'manifests that are applied in the second alone, or patches that failover explain -o json prints',
      helpValue: 'FILE',
      ...many,
    }),
    'scenario-to': Flags.string({ summary: 'another scenario for the second', helpValue: 'FILE' }),
    fail: scenarioFlags.fail,
    recover: scenarioFlags.recover,
    'fail-region': scenarioFlags['fail-region'],
    'fail-zone': scenarioFlags['fail-zone'],
    taint: scenarioFlags.taint,
    scenario: scenarioFlags.scenario,
    until: scenarioFlags.until,
    'ready-after': scenarioFlags['ready-after'],
    ...stateFlags,
    ...listOutputFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(FailoverDiff);
    if (flags.from !== undefined && flags['karmada-version'] !== undefined)
      throw new UserError('--from and --karmada-version name the same version; give one of them');
    const opened = await readScenario(flags.scenario);
    const otherOpened = (await readScenario(flags['scenario-to'], '--scenario-to')) ?? opened;
    const changing = Boolean(flags['apply-to']?.length || otherOpened);
    const wanted =
      flags.from === undefined ? flags['karmada-version'] : versionNamed('from', flags.from).version;
    // what the second does not know of it is said below, version by version
    const { assume = [], ...others } = flags;
    const state = await openState(
      { ...others, ...(wanted === undefined ? {} : { 'karmada-version': wanted }) },
      undefined,
      opened,
      changing ? { templates: {} } : {},
    );
    const { world, now } = state;
    if (!['to', 'assume-to', 'apply-to', 'scenario-to'].some((name) => name in flags))
      sayWarning('nothing says how the second differs; give --to, --assume-to, --apply-to or --scenario-to');
    const fromDialect = dialectOf(state.karmadaVersion).dialect;
    const toDialect = flags.to === undefined ? fromDialect : versionNamed('to', flags.to);
    const side = (
      dialect: Dialect,
      other: Dialect,
      own: string[],
      opened?: OpenedScenario,
    ): Side['resolved'] =>
      resolveConfiguration(dialect, state.loaded.components.commandLines, [
        ...(state.loaded.assumed?.gatesAndFlags ?? []),
        ...(opened ? scenarioAssumptions(opened, dialect, other) : []),
        ...commonAssumptions(assume, dialect, other),
        ...assumptionsFromFlags(own, dialect, '--assume-to'),
      ]);
    const applied = await Promise.all(
      (flags['apply-to'] ?? []).map(async (path) => {
        const source = `--apply-to ${path}`;
        const changes = await changesOf(path, now);
        checkPatches(changes, world, source);
        return changes.map((event) => ({ event, source }));
      }),
    );
    const changes = applied.flat();
    const said = new Set<string>();
    const worldOf = ({ version, rules }: Dialect) => {
      const seen = asVersionSees(world, version, rules);
      for (const warning of seen.warnings) if (!said.has(warning)) sayWarning(warning);
      seen.warnings.forEach((warning) => said.add(warning));
      return seen.world;
    };
    const given = await scenarioFromFlags(flags, opened, world, now);
    const other = otherOpened === opened ? given : await scenarioFromFlags(flags, otherOpened, world, now);
    const titles = [given.title, other.title];
    const sides = {
      from: {
        title: titleOf(fromDialect, []),
        world: worldOf(fromDialect),
        dialect: fromDialect,
        resolved: side(fromDialect, toDialect, [], opened),
        changes: [],
      },
      to: {
        title: titleOf(toDialect, [
          ...(flags['assume-to'] ?? []),
          ...(flags['apply-to'] ?? []),
          ...(flags['scenario-to'] === undefined ? [] : [flags['scenario-to']]),
        ]),
        world: worldOf(toDialect),
        dialect: toDialect,
        resolved: side(toDialect, fromDialect, flags['assume-to'] ?? [], otherOpened),
        changes: changes.map(({ event }) => event),
      },
    };
    const scenarios = titles.some((title) => title !== '')
      ? {
          title: [...new Set(titles.map((title) => title || 'nothing happens'))].join(' → '),
          from: given.scenario,
          to: other.scenario,
        }
      : undefined;
    try {
      const diff = compareSides(sides, given.scenario, {
        given: scenarios,
        otherOrders: OTHER_ORDERS,
      });
      const assumptions = [
        ...state.assumptions.filter(({ name }) => name === 'now' || name === 'karmadaVersion'),
        ...sides.from.resolved.values,
        ...memberAssumptions(given.scenario, isReadyAfterGiven(opened, flags), world),
      ];
      await print(failoverDiffAnswer(diff, assumptions), flags);
      return differs(diff) ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
    } catch (error) {
      const ofChanges = changes.map(({ event, source }) => [event.action, source] as const);
      throw scenarioProblem(error, new Map([...given.sources, ...other.sources, ...ofChanges]));
    }
  }
}

function titleOf({ version }: Dialect, changes: readonly string[]): string {
  return [version, ...changes].join(' with ');
}
