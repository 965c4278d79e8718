import Lint from '../lint.ts';

/** The former name of `lint`, when it checked only ClusterTaintPolicies. */
export default class TaintPolicyValidate extends Lint {
  static override summary = 'Deprecated: another name for lint.';

  static override description = 'It does what lint does, and prints a deprecation warning. Use lint instead.';

  static override usage = 'taint-policy validate -f FILE|DIR [FILE...] [flags]';

  static override examples = [
    {
      description: 'The same under its new name',
      command: '<%= config.bin %> lint -f policies/',
    },
  ];

  protected override readonly deprecation =
    'taint-policy validate is deprecated: use lint, which makes the same checks, and others';
}
