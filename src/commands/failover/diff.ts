import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { flagNames } from '../../cli/flagNames.ts';
import type { GivenFlags } from '../../cli/givenFlags.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../../cli/exitCodes.ts';
import { listOutputFlags, stateFlags } from '../../cli/flags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { changesOf, sameFailures, scenarioRequest } from '../../cli/scenario/scenarioRequest.ts';
import { readScenario } from '../../cli/scenario/namedFiles.ts';
import { areaFlags, scenarioFlags } from '../../cli/scenario/scenarioFlags.ts';
import { checkVersion, stateRequest } from '../../cli/stateRequest.ts';
import { stdinOnce } from '../../cli/values.ts';
import { hasDifferences } from '../../simulator/comparison/compareSides.ts';
import { dialectOf } from '../../karmada/dialects/dialects.ts';
import { compareFailovers } from '../../useCases/comparison/compareFailovers.ts';
import { failoverDiffAnswer, type SameScenario } from '../../views/simulation/failoverDiff.ts';
import { scenarioTitle } from '../../views/simulation/scenarioTitle.ts';
import { repeatable } from '../../cli/connectionFlags.ts';

type DiffFlags = GivenFlags<typeof FailoverDiff.flags>;

export default class FailoverDiff extends BaseCommand {
  static override summary = 'Show what another version, other flags or other policies would change.';

  static override description = [
    'Compares two simulations: of a cluster failure, or of your scenario. Without a scenario it tries no',
    'failure at all, then the failure of each cluster. It lists each workload with another outcome: where it moves,',
    'whether it is lost or blocked, when it leaves, its downtime. Then it lists tolerations and purge modes that the',
    'second side lacks, and the gates and flags that keep the first behaviour. The exit code is 1 if something',
    'differs.',
  ].join(' ');

  static override usage =
    'failover diff [--from VERSION] [--to VERSION] [--assume-to NAME=VALUE] [--apply-to FILE] [flags]';

  static override examples = [
    {
      description: 'What does an upgrade change?',
      command: '<%= config.bin %> failover diff --from v1.13 --to v1.18',
    },
    {
      description: 'What would eviction on NoExecute taints change?',
      command:
        '<%= config.bin %> failover diff --assume-to Failover=true --assume-to enable-no-execute-taint-eviction=true',
    },
    {
      description: 'What would this policy change if frankfurt failed?',
      command: '<%= config.bin %> failover diff --apply-to policy.yaml --fail frankfurt',
    },
  ];

  static override flags = {
    from: Flags.string({
      summary: 'the first Karmada version; default: as detected',
      helpValue: 'VERSION',
    }),
    to: Flags.string({
      summary: 'the second Karmada version; default: that of --from',
      helpValue: 'VERSION',
    }),
    'assume-to': Flags.string({
      summary: 'a feature gate or flag of the second only',
      helpValue: 'NAME=VALUE',
      ...repeatable,
    }),
    'apply-to': Flags.string({
      summary: 'manifests to apply in the second only, or patches that failover explain -o json prints',
      helpValue: 'FILE',
      ...repeatable,
    }),
    'scenario-to': Flags.string({ summary: 'another scenario for the second', helpValue: 'FILE' }),
    fail: scenarioFlags.fail,
    recover: scenarioFlags.recover,
    ...areaFlags,
    taint: scenarioFlags.taint,
    scenario: scenarioFlags.scenario,
    until: scenarioFlags.until,
    'ready-after': scenarioFlags['ready-after'],
    ...stateFlags,
    ...listOutputFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(FailoverDiff);
    const { from, to, assume = [], 'karmada-version': version, ...others } = flags;
    if (from !== undefined && version !== undefined)
      throw new UserError('--from and --karmada-version name the same version; give one of them');
    stdinOnce({
      '--apply-to': flags['apply-to'],
      '--scenario': flags.scenario,
      '--scenario-to': flags['scenario-to'],
      '--state': flags.state,
    });
    const opened = await readScenario(flags.scenario);
    const called = [flags['assume-to'] ?? [], flags['apply-to'] ?? [], flags['scenario-to'] ?? []].flat();
    if (to === undefined && called.length === 0)
      ports.warn(
        'both sides are the same; give the second one --to VERSION, --assume-to NAME=VALUE, --apply-to FILE or --scenario-to FILE',
      );
    const changes = (flags['apply-to'] ?? []).map(async (path) => {
      const actions = await changesOf('--apply-to', path);
      return actions.map((action) => ({ action, source: `--apply-to ${path}` }));
    });
    const request = {
      state: stateRequest({
        ...others,
        'karmada-version': from === undefined ? version : versionNamed('--from', from),
      }),
      assume,
      scenario: await scenarioRequest(flags),
      opened,
      second: {
        version: to === undefined ? undefined : versionNamed('--to', to),
        assume: { values: flags['assume-to'] ?? [], source: '--assume-to' },
        changes: (await Promise.all(changes)).flat(),
        opened: (await readScenario(flags['scenario-to'], '--scenario-to')) ?? opened,
        called,
      },
      titleOf: scenarioTitle,
    };
    const compared = await compareFailovers(request, ports);
    await print(
      failoverDiffAnswer({ ...compared, again: sameScenario(flags, compared.diff.to.dialect.version) }),
      flags,
    );
    return hasDifferences(compared.diff) ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}

/** The flags that give another command the same scenario and second side. */
function sameScenario(flags: DiffFlags, version: string): SameScenario {
  const file = flags['scenario-to'] ?? flags.scenario;
  const others = [
    ...(flags.taint ?? []).map((given) => `--taint=${given}`),
    ...(file === undefined ? [] : [`--scenario=${file}`]),
    ...(flags.until === undefined ? [] : [`--until=${flags.until}`]),
  ];
  const assumed = [...(flags.assume ?? []), ...(flags['assume-to'] ?? [])];
  return {
    simulate: [...sameFailures(flags, flagNames.fails), ...others],
    explain: others.length === 0 ? sameFailures(flags, flagNames.ifFails) : undefined,
    second: [
      ...(flags['apply-to'] ?? []).map(flagNames.applies),
      ...(flags['ready-after'] === undefined ? [] : [`--ready-after=${flags['ready-after']}`]),
      ...(flags.from === undefined && flags.to === undefined ? [] : [flagNames.ofVersion(version)]),
      ...assumed.map((given) => `--assume=${given}`),
    ],
  };
}

/** The version named by a flag. For a version without data, the nearest one, with a warning. */
function versionNamed(flag: string, text: string): string {
  checkVersion(flag, text);
  const chosen = dialectOf(text);
  if (!chosen.exact) ports.warn(`${flag}: ${chosen.note}`);
  return chosen.dialect.version;
}
