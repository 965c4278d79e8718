import { availableParallelism } from 'node:os';
import { auditThreads } from '../../cli/audit/auditThreads.ts';
import { gateOf } from '../../cli/audit/gate.ts';
import { printShard, readShards, shardOf, withWholeOnly } from '../../cli/audit/shards.ts';
import { recoveryTargets } from '../../cli/audit/recoveryTargets.ts';
import { requestedChanges } from '../../cli/scenario/scenarioRequest.ts';
import { BaseCommand } from '../../cli/baseCommand.ts';
import { drainOptionsFromFlags } from '../../cli/drain/drainOptions.ts';
import { UserError } from '../../cli/errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_NOT_FINISHED, EXIT_OK } from '../../cli/exitCodes.ts';
import { flagNames } from '../../cli/flagNames.ts';
import {
  listOutputFlags,
  memberFlags,
  outputFlagWith,
  selectionFlags,
  stateFlags,
  auditFlags,
} from '../../cli/flags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { reportFlag, writeReport } from '../../cli/report/reportFlag.ts';
import { selectionFromFlags } from '../../cli/selection.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { threadFile } from '../../cli/threadFile.ts';
import { choice, duration, stdinOnce, wholeNumber } from '../../cli/values.ts';
import { USUAL_CONTINGENCIES } from '../../analysis/audit/contingencies.ts';
import { taintChangeIn } from '../../karmada/taints/taintChange.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { auditFailover } from '../../useCases/audit/auditFailover.ts';
import { auditAnswer } from '../../views/audit/auditAnswer.ts';
import { auditForms } from '../../views/audit/auditForms.ts';
import { repeatable } from '../../cli/connectionFlags.ts';

/** Formats of -o besides the common ones. */
const FORMS = ['markdown', 'junit'];

export default class FailoverAudit extends BaseCommand {
  static override summary = 'Show what would be lost if any cluster, region or zone failed.';

  static override description = [
    'Simulates every contingency one by one: each cluster, and all clusters of each provider, region and zone. It',
    'shows which workloads survive all of them. For each of the others it shows the worst outcome, its reason, and',
    'how long replicas are down. For each cluster it shows the headroom after the worst contingency. With --fail-on',
    'it is a gate for pipelines: the exit code is 1 if the audit finds a named condition (docs/audit.md has them).',
    'Ctrl-C ends it with the results so far and exit code 3.',
  ].join(' ');

  static override usage = 'failover audit [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'Which workloads would not survive a failure?',
      command: '<%= config.bin %> failover audit',
    },
    {
      description: 'Pairs of clusters and racks, with a recovery target of 5 minutes',
      command: '<%= config.bin %> failover audit --pairs --group-by rack --rto 5m',
    },
    {
      description: 'Which two clusters can I drain tonight?',
      command: '<%= config.bin %> failover audit --safe-together 2',
    },
    {
      description: 'In a pipeline: fail only on new risks since the last release',
      command:
        '<%= config.bin %> failover audit --state dump/ --fail-on lost,down,blocked --baseline audit.json -o junit',
    },
  ];

  static override flags = {
    only: Flags.string({
      summary: 'only these kinds of contingency: cluster, provider, region, zone; comma-separated',
      helpValue: 'KIND',
      ...repeatable,
    }),
    'group-by': auditFlags['group-by'],
    pairs: auditFlags.pairs,
    taint: Flags.string({
      summary: 'clusters get this taint instead of failing',
      helpValue: 'KEY[=VALUE]:EFFECT',
    }),
    apply: Flags.string({
      summary: 'audit the result of these manifests, or of patches under causes in -o json',
      helpValue: 'FILE',
      ...repeatable,
    }),
    rto: auditFlags.rto,
    'fail-on': Flags.string({
      summary:
        'exit with 1 if a workload is lost, down, blocked, flaps, without-state or partly-moves, misses its target (rto), or a cluster keeps less than headroom=20%',
      helpValue: 'CONDITION',
      ...repeatable,
    }),
    baseline: Flags.string({
      summary: 'an earlier audit (-o json): --fail-on counts only new risks',
      helpValue: 'FILE',
    }),
    'safe-together': Flags.string({
      summary: 'also find the largest sets of at most N clusters that can be drained together',
      helpValue: 'N',
    }),
    shard: Flags.string({
      summary: 'audit only part I of N (the first is 0), and print input for --merge',
      helpValue: 'I/N',
    }),
    merge: Flags.string({
      summary: 'simulate nothing: merge the output of all shards of this state',
      helpValue: 'FILE',
      // like a shell's expansion of shards/*.json
      multiple: true,
    }),
    threads: Flags.string({
      summary: 'number of threads; default: one per core',
      helpValue: 'N',
    }),
    report: reportFlag,
    ...memberFlags,
    ...selectionFlags,
    ...stateFlags,
    ...listOutputFlags,
    output: outputFlagWith(...FORMS),
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(FailoverAudit);
    stdinOnce({
      '--apply': flags.apply,
      '--baseline': flags.baseline,
      '--merge': flags.merge,
      '--state': flags.state,
    });
    const gate = await gateOf(flags);
    const most = wholeNumber('--safe-together', flags['safe-together'], 1);
    const taint = flags.taint === undefined ? undefined : taintOf(flags.taint);
    const file = threadFile(this.config.root);
    const threads = wholeNumber('--threads', flags.threads, 1) ?? availableParallelism();
    const shard = shardOf(flags.shard);
    if (shard && flags.merge) throw new UserError('--shard prints the input of --merge; give one of them');
    if (flags.shard !== undefined)
      withWholeOnly(flags.shard, {
        '--fail-on': flags['fail-on'],
        '--baseline': flags.baseline,
        '--report': flags.report,
        '--safe-together': flags['safe-together'],
      });
    const merged = flags.merge && (await readShards(flags.merge));
    let isOpen = false;
    const interrupt = interruptible({ patient: () => isOpen, within: 0 });
    const audited = await auditFailover(
      {
        state: stateRequest(flags),
        selection: selectionFromFlags(flags),
        only: onlyOf(flags.only),
        groupBy: flags['group-by'] ?? [],
        pairs: flags.pairs,
        targets: recoveryTargets(flags.rto ?? []),
        needsTargets: gate?.judgesTargets,
        ...(taint && { taint }),
        changes: await requestedChanges(flags.apply),
        ...(most !== undefined && {
          safeTogether: { most, options: drainOptionsFromFlags([], {}).options },
        }),
        readyAfter: duration('--ready-after', flags['ready-after']),
        shard,
        merged,
        courses: flags.report !== undefined,
        threads: file === undefined ? undefined : auditThreads(file, threads),
        signal: interrupt.signal,
        opened: () => (isOpen = true),
      },
      ports,
    );
    interrupt.done();
    if (audited.part) return await printShard(audited.part);
    const judged = gate?.judge(audited.audit);
    const input = { ...audited, gate: judged };
    await print({ ...auditAnswer(input), forms: auditForms(input) }, flags);
    if (flags.report !== undefined) {
      const { auditPage } = await import('../../views/audit/auditPage.ts');
      await writeReport(flags.report, auditPage(input, flagNames));
    }
    if (interrupt.signal.aborted) return EXIT_NOT_FINISHED;
    return judged && judged.breaches.length > 0 ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
  }
}

function onlyOf(given: readonly string[] | undefined) {
  return given?.flatMap((list) => list.split(',').map((kind) => choice('--only', kind, USUAL_CONTINGENCIES)));
}

function taintOf(text: string) {
  const change = taintChangeIn(text);
  if (change && !('removed' in change && change.removed)) return change.taint;
  throw new UserError(
    `--taint "${text}" is not KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute, such as maintenance=network:NoExecute`,
  );
}
