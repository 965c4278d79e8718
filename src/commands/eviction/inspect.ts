import { BaseCommand } from '../../cli/baseCommand.ts';
import { UserError } from '../../cli/errors.ts';
import { EXIT_OK } from '../../cli/exitCodes.ts';
import { listOutputFlags, memberFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { ports } from '../../cli/ports.ts';
import { print } from '../../cli/print.ts';
import { selectionText, selectionFromFlags } from '../../cli/selection.ts';
import { hasChanges } from '../../cli/watching.ts';
import { stateRequest } from '../../cli/stateRequest.ts';
import { namedTargets } from '../../cli/targets.ts';
import { duration } from '../../cli/values.ts';
import { inspectEvictions } from '../../useCases/eviction/inspectEvictions.ts';
import { evictionTaskList } from '../../views/eviction/evictionTaskList.ts';

export default class EvictionInspect extends BaseCommand {
  static override summary = 'Show graceful eviction tasks: blockers, deadlines and outcomes.';

  static override description = [
    'A task keeps the old copy of an evicted workload. It ends when the new copies are healthy, or',
    'at its deadline, even without a replacement. A simulation shows the outcome for the workload. Without KIND/NAME',
    'this command lists all tasks; with KIND/NAME it shows one workload in full, with the evidence.',
  ].join(' ');

  static override usage = 'eviction inspect [KIND/NAME...] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'All evictions in flight',
      command: '<%= config.bin %> eviction inspect',
    },
    {
      description: 'Evictions of one workload, with the evidence',
      command: '<%= config.bin %> eviction inspect deployment/cart -n shop',
    },
    {
      description: 'Watch their changes',
      command: '<%= config.bin %> eviction inspect -n shop --watch',
    },
    {
      description: 'On a captured control plane',
      command:
        '$ kubectl get clusters,rb,crb,works -A -o json | <%= config.bin %> eviction inspect --state -',
    },
  ];

  static override args = {
    'kind/name': Args.string({
      ...optional,
      multiple: true,
      description:
        'workloads or bindings: deployment/cart, deploy.apps/cart, shop/deployment/cart, rb/cart-deployment',
    }),
  };

  static override flags = {
    ...selectionFlags,
    watch: Flags.boolean({
      char: 'w',
      summary: 'keep running: a screen on a terminal, else each task again when it changes',
    }),
    plain: Flags.boolean({ summary: 'with --watch: lines on a terminal too; for screen readers' }),
    ...memberFlags,
    ...stateFlags,
    ...listOutputFlags,
  };

  async run(): Promise<number> {
    const { args, flags } = await this.parse(EvictionInspect);
    const targets = namedTargets(args['kind/name'] ?? []);
    if (targets.length > 0 && (flags.selector ?? flags['field-selector']) !== undefined)
      throw new UserError(`${targets[0]} and a selector both choose workloads; give one of them`);
    if (flags.plain && !flags.watch)
      throw new UserError('--plain requires --watch; leave it out, or add --watch');
    if (hasChanges(flags)) {
      if (flags['ready-after'] !== undefined)
        throw new UserError('--watch simulates nothing; leave --ready-after out');
      const { followEvictionTasks } = await import('../../cli/eviction/followEvictionTasks.ts');
      return followEvictionTasks(targets, flags);
    }
    const request = {
      state: stateRequest(flags),
      targets,
      selection: selectionFromFlags(flags),
      readyAfter: duration('--ready-after', flags['ready-after']),
    };
    const inspected = await inspectEvictions(request, ports);
    const asked = selectionText(targets, flags);
    await print(evictionTaskList({ ...inspected, detailed: targets.length > 0, asked }), flags);
    return EXIT_OK;
  }
}
