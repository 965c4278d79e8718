import packageJson from '../../../package.json' with { type: 'json' };
import { EXIT_ANSWER_IS_FAILURE, EXIT_OK } from '../../cli/exitCodes.ts';
import { UserError } from '../../cli/errors.ts';
import { manifestFlags, outputFlags, stateFlags } from '../../cli/flags.ts';
import { BaseCommand } from '../../cli/baseCommand.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { findingOutput } from '../../cli/findingOutput.ts';
import { ports } from '../../cli/ports.ts';
import { assumedFromFlags } from '../../cli/stateRequest.ts';
import { stdinOnce } from '../../cli/values.ts';
import { ALLOWS_NO_EXECUTE, noteAssumedFlag } from '../../cli/taintPolicy/noExecuteNote.ts';
import { print } from '../../cli/print.ts';
import { severities } from '../../analysis/findings/finding.ts';
import { configurationOf } from '../../useCases/state/configurationOf.ts';
import { validateFiles } from '../../useCases/taintPolicy/validateManifests.ts';
import { riskText } from '../../views/taintPolicy/riskWords.ts';
import { fails, findingList } from '../../views/findings/findingList.ts';

export default class TaintPolicyValidate extends BaseCommand {
  static override summary = 'Check files with ClusterTaintPolicies, without a control plane.';

  static override description = [
    'Deprecated: lint makes the same checks, and others. Says what kubectl, the API server and the webhook of that Karmada version would refuse, in their words, with file, line',
    'and column, and what is risky in a policy. --rules adds rules of your own. The annotation karmada-failover/ignore.RULE, with',
    'the reason as its value, switches a rule off for one object. The exit code is 0 if nothing at or above --fail-on is found,',
    '1 if something is, 2 if the input cannot be read.',
  ].join(' ');

  static override usage = 'taint-policy validate -f FILE [flags]';

  static override examples = [
    {
      description: 'All policies of a directory',
      command: '<%= config.bin %> taint-policy validate -f policies/',
    },
    {
      description: 'In a pipeline, for code scanning, with rules of your own',
      command:
        '<%= config.bin %> taint-policy validate -f policies/ --rules rules.yaml --fail-on warning -o sarif',
    },
    {
      description: 'For a control plane of v1.16 whose webhook allows NoExecute',
      command:
        '<%= config.bin %> taint-policy validate -f policy.yaml --karmada-version v1.16 --assume allow-no-execute-taint-policy=true',
    },
  ];

  static override flags = {
    ...manifestFlags,
    rules: Flags.string({
      summary: 'a file with rules of your own (docs/taint-policy.md), - for stdin',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'fail-on': Flags.option({
      summary: 'end with 1 if there are findings of this severity or above',
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
    'karmada-version': {
      ...stateFlags['karmada-version'],
      // there is no control plane by which it could be detected
      summary:
        'the Karmada version whose behaviour applies, such as v1.17.3, v1.17 for its newest patch release, or proposal for the design; default: the newest release',
    },
    assume: stateFlags.assume,
    v: stateFlags.v,
    output: findingOutput,
    'no-headers': outputFlags['no-headers'],
    limit: outputFlags.limit,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(TaintPolicyValidate);
    const { filename: files = [], kustomize: kustomizations = [] } = flags;
    if (files.length + kustomizations.length === 0)
      throw new UserError('taint-policy validate needs manifests: give -f FILE, -f - or -k DIR');
    stdinOnce({ '-f': files, '--rules': flags.rules });
    const {
      configuration,
      karmadaVersion,
      warnings: ofVersion,
    } = configurationOf(assumedFromFlags(flags), ports.names);
    const { warnings, ...validated } = await validateFiles(
      { files, kustomizations },
      { files: flags.rules ?? [], called: '--rules' },
      configuration,
      riskText,
      () => process.stdin,
    );
    for (const warning of [...ofVersion, ...warnings]) ports.warn(warning);
    const isGuess = !flags.assume?.some((given) => given.includes(ALLOWS_NO_EXECUTE));
    noteAssumedFlag(validated.findings, isGuess, ports.note);
    ports.note('taint-policy validate is deprecated: use lint, which makes the same checks, and others');
    await print(
      findingList({
        ...validated,
        karmadaVersion,
        failOn: flags['fail-on'],
        show: flags.show,
        version: packageJson.version,
      }),
      flags,
    );
    const failed = validated.findings.some((finding) => fails(finding, flags['fail-on']));
    return failed ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}
