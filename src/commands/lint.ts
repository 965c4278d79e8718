import packageJson from '../../package.json' with { type: 'json' };
import { severities } from '../analysis/findings/finding.ts';
import { BaseCommand } from '../cli/baseCommand.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../cli/exitCodes.ts';
import { UserError } from '../cli/errors.ts';
import { manifestFlags, outputFlags, stateFlags } from '../cli/flags.ts';
import { Args, Flags, optional } from '../cli/oclif/oclif.ts';
import { commandLine, connectionWords } from '../cli/commandLine.ts';
import { flagNames } from '../cli/flagNames.ts';
import { findingOutput } from '../cli/findingOutput.ts';
import { ports } from '../cli/ports.ts';
import { print } from '../cli/print.ts';
import { readNamed } from '../cli/scenario/namedFiles.ts';
import { checkVersion, stateRequest } from '../cli/stateRequest.ts';
import { ALLOWS_NO_EXECUTE, noteAssumedFlag } from '../cli/taintPolicy/noExecuteNote.ts';
import { stdinOnce } from '../cli/values.ts';
import { unverified } from '../karmada/configuration/assumptions.ts';
import { isRereadable } from '../state/input/files.ts';
import { lintManifests, type LintQuestion } from '../useCases/lint/lintManifests.ts';
import type { InputNames } from '../useCases/ports.ts';
import { applySettings, parseLintSettings } from '../useCases/lint/lintSettings.ts';
import { fixManifests } from '../useCases/lint/fixManifests.ts';
import { configurationOf } from '../useCases/state/configurationOf.ts';
import { openStateToRead } from '../useCases/state/openState.ts';
import { isFailure, findingList } from '../views/findings/findingList.ts';
import { riskText } from '../views/taintPolicy/riskWords.ts';
import { repeatable } from '../cli/connectionFlags.ts';

/** The most rewrites of a file: fixing the kind reveals wrong fields, and fixing these wrong values. */
const MAX_ROUNDS = 5;

export default class Lint extends BaseCommand {
  static override summary = 'Check manifests before they are merged: policies, and what failover needs.';

  static override description = [
    "Reports errors that kubectl, the API server and Karmada's webhooks would refuse in policies, with file, line and",
    'column. It also reports obstacles to failover (docs/checks.md). Without a control plane it checks the files',
    'only; with --state or --karmada-context it checks them against that control plane. --rules adds your own rules.',
    'To ignore a finding, use the annotation karmada-failover/ignore.RULE, --config, or a comment on its line or the',
    'line before: "# karmada-failover: ignore RULE REASON". An ignore that matches nothing is reported. The exit code',
    'is 1 if there is a finding of the severity --fail-on or above.',
  ].join(' ');

  static override usage = 'lint -f FILE|DIR [FILE...] [flags]';

  static override examples = [
    { description: 'All manifests of a directory', command: '<%= config.bin %> lint -f manifests/' },
    {
      description: 'Output of Helm, for the next Karmada version',
      command: 'helm template shop charts/shop | <%= config.bin %> lint -f - --target-version v1.18',
    },
    {
      description: 'Against their control plane, for code scanning',
      command: '<%= config.bin %> lint -f manifests/ --state dump/ --fail-on warning -o sarif',
    },
    {
      description: 'Fix what can be fixed with certainty',
      command: '<%= config.bin %> lint -f manifests/ --fix',
    },
  ];

  static override args = {
    file: Args.string({
      ...optional,
      multiple: true,
      description: 'more files or directories; those that hold no object are skipped',
    }),
  };

  static override flags = {
    ...manifestFlags,
    rules: Flags.string({
      summary: 'a file with your own rules (docs/taint-policy.md), - for stdin',
      helpValue: 'FILE',
      ...repeatable,
    }),
    config: Flags.string({
      summary: 'a file that says which rules to ignore where (docs/lint.md)',
      helpValue: 'FILE',
    }),
    'fail-on': Flags.option({
      summary: 'exit with 1 if there are findings of this severity or above',
      options: severities,
      default: 'error',
      helpValue: severities.join('|'),
    })(),
    show: Flags.option({
      summary: 'print findings of this severity and above',
      options: severities,
      default: 'note',
      helpValue: severities.join('|'),
    })(),
    fix: Flags.boolean({ summary: 'write certain fixes into the files; comments are kept' }),
    'target-version': Flags.string({
      summary:
        'the Karmada version that the manifests are for; default: that of the state, else the newest release',
      helpValue: 'vX.Y.Z',
    }),
    ...stateFlags,
    output: findingOutput,
    'no-headers': outputFlags['no-headers'],
    limit: outputFlags.limit,
  };

  /** the deprecation printed at each run; absent: this name is not deprecated */
  protected readonly deprecation: string | undefined;

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(Lint);
    const { filename: files = [], kustomize: kustomizations = [], 'target-version': target } = flags;
    const { file: among = [] } = args;
    if (files.length + among.length + kustomizations.length === 0)
      throw new UserError('lint needs manifests: give -f FILE, -f - or -k DIR');
    stdinOnce({
      '-f': [...files, ...among],
      '--rules': flags.rules,
      '--config': flags.config,
      '--state': flags.state,
    });
    const passing = [...files, ...among, ...(flags.rules ?? [])].find((path) => !isRereadable(path));
    if (flags.fix && passing !== undefined)
      throw new UserError(
        `--fix writes files, and reads them again: name files, not ${passing === '-' ? 'stdin (-)' : `a pipe (${passing})`}`,
      );
    const settings =
      flags.config === undefined
        ? []
        : parseLintSettings(await readNamed('--config', flags.config), flags.config);
    if (target !== undefined) checkVersion('--target-version', target);
    const asked = { ...flags, ...(target !== undefined && { 'karmada-version': target }) };
    const named = { ...ports.names, ...(target !== undefined && { version: '--target-version' }) };
    const { world, configuration, karmadaVersion, guessed } = await surroundings(asked, named);
    const question = {
      sources: { files, among, kustomizations },
      rules: { files: flags.rules ?? [], called: '--rules' },
      configuration,
      karmadaVersion,
      unverified: guessed,
      names: ports.names,
      ...(world && { world }),
      riskWords: riskText,
    };
    const { linted, findings } = await (flags.fix ? lintAndMend : lint)(question, settings);
    for (const warning of linted.warnings) ports.warn(warning);
    const { rules, objects, files: count, passedOver } = linted;
    const isGuess = !flags.assume?.some((given) => given.includes(ALLOWS_NO_EXECUTE));
    noteAssumedFlag(findings, isGuess, ports.note);
    if (this.deprecation !== undefined) ports.note(this.deprecation);
    // after --fix, only manual fixes are left
    const canFix =
      !flags.fix && passing === undefined && findings.some(({ fix, ignored }) => fix && !ignored);
    const hasErrors = findings.some(({ severity, ignored }) => severity === 'error' && !ignored);
    const source = connectionWords(flags, stateFlags);
    // shows all errors or, for valid manifests, their effect
    const next = () =>
      hasErrors
        ? commandLine(['lint', ...typed.filter((word) => word !== '--fix'), '-o=wide'])
        : effectCommand({ files: [...files, ...among], kustomizations }, objects, source);
    await print(
      findingList({
        findings,
        rules,
        objects,
        passedOver,
        karmadaVersion,
        files: count,
        failOn: flags['fail-on'],
        show: flags.show,
        version: packageJson.version,
        next: canFix
          ? commandLine(['lint', ...typed, '--fix'])
          : passing === undefined || passing === '-'
            ? next()
            : undefined,
      }),
      flags,
    );
    return findings.some((finding) => isFailure(finding, flags['fail-on']))
      ? EXIT_ANSWER_IS_FAILURE
      : EXIT_OK;
  }
}

/** The command that shows the effect of valid manifests; undefined if there is none. */
function effectCommand(
  { files, kustomizations }: { files: readonly string[]; kustomizations: readonly string[] },
  objects: readonly { kind: string }[],
  source: readonly string[],
): string | undefined {
  if (objects.some(({ kind }) => kind === 'ClusterTaintPolicy')) {
    const given = [...files.flatMap((file) => ['-f', file]), ...kustomizations.flatMap((dir) => ['-k', dir])];
    return commandLine(['taint-policy', 'apply', ...given, '--dry-run', ...source]);
  }
  if (objects.length === 0 || kustomizations.length > 0) return undefined;
  return commandLine(['simulate', ...files.map(flagNames.applies), ...source]);
}

async function lint(question: LintQuestion, settings: ReturnType<typeof parseLintSettings>) {
  const linted = await lintManifests(question, () => process.stdin);
  return { linted, findings: applySettings(linted.findings, settings, linted.rules) };
}

/** Applies certain fixes until none is left: a corrected kind reveals errors in its fields. */
async function lintAndMend(...asked: Parameters<typeof lint>) {
  const written = new Set<string>();
  const wrote = (file: string) => {
    if (!written.has(file)) ports.note(`${file}: written`);
    written.add(file);
  };
  for (let round = 1; ; round++) {
    const result = await lint(...asked);
    if (round > MAX_ROUNDS) return result;
    const { written: files, left } = await fixManifests(result.findings, result.linted.texts, wrote);
    if (files.length > 0) continue;
    for (const { finding, why } of left) {
      const { file, line, column } = finding.place;
      ports.warn(`${file}:${line}:${column}: ${finding.rule} was not fixed: ${why}; change it by hand`);
    }
    return result;
  }
}

/** The control plane that manifests are for, if one is named; otherwise only a release. */
async function surroundings(flags: Parameters<typeof stateRequest>[0], names: InputNames) {
  const isNamed =
    flags.state !== undefined || flags['karmada-context'] !== undefined || flags.kubeconfig !== undefined;
  const request = stateRequest(flags);
  if (isNamed) {
    const { world, configuration, karmadaVersion, assumptions } = await openStateToRead(request, {
      ...ports,
      names,
    });
    return { world, configuration, karmadaVersion, guessed: unverified(assumptions) };
  }
  const { configuration, karmadaVersion, warnings } = configurationOf(request, names);
  warnings.forEach(ports.warn);
  // no state shows gates and flags
  const guessed = new Set([
    ...Object.keys(configuration.featureGates),
    ...Object.keys(configuration.controllerManager),
  ]);
  return { world: undefined, configuration, karmadaVersion, guessed };
}
