import { BaseCommand } from '../../cli/baseCommand.ts';
import { Args, Flags, optional } from '../../cli/oclif/oclif.ts';
import { UserError } from '../../cli/errors.ts';
import { listOutputFlags, memberFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { print } from '../../cli/print.ts';
import { openStateToRead, readWhole, type OpenedState } from '../../useCases/state/openState.ts';
import { askedAbout, selectedBindings } from '../../useCases/selection/selection.ts';
import { bindingsNamed } from '../../useCases/selection/target.ts';
import { explainEvictionTasks } from '../../engine/explanation/tasks/evictionTask.ts';
import { needsPlaying } from '../../engine/explanation/tasks/needsPlaying.ts';
import { unconfirmed } from '../../views/assumptions.ts';
import { evictionTaskList } from '../../views/evictionTaskList.ts';

/** What tells about eviction tasks. */
const KINDS = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'Work']);

export default class EvictionInspect extends BaseCommand {
  static override summary =
    'Show graceful eviction tasks: what each waits for, and what its deadline brings.';

  static override description = [
    'A task keeps the old copy of a workload that has been told to leave a cluster. It ends when the new copies',
    'are healthy, or at its deadline, whether or not anything has replaced the old copy by then. What becomes of the',
    'workload is simulated. Without KIND/NAME all tasks are listed; with it those of one workload are printed in full,',
    'with the evidence.',
  ].join(' ');

  static override usage = 'eviction inspect [KIND/NAME] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'All evictions in flight',
      command: '<%= config.bin %> eviction inspect',
    },
    {
      description: 'Those of one workload, with the evidence',
      command: '<%= config.bin %> eviction inspect deployment/cart -n shop',
    },
    {
      description: 'As they change',
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
      description:
        'a workload or binding: deployment/cart, deploy.apps/cart, shop/deployment/cart, rb/cart-deployment',
    }),
  };

  static override flags = {
    ...selectionFlags,
    watch: Flags.boolean({ char: 'w', summary: 'go on, and print each task again whenever it changes' }),
    ...memberFlags,
    ...stateFlags,
    ...listOutputFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EvictionInspect);
    const target = args['kind/name'];
    if (target !== undefined && (flags.selector ?? flags['field-selector']) !== undefined)
      throw new UserError(`either ${target} or a selector says which workloads are meant, not both`);
    if (flags.watch) {
      if (flags['ready-after'] !== undefined)
        throw new UserError('--watch simulates nothing; leave --ready-after out');
      const { watchEvictionTasks } = await import('../../useCases/eviction/watchEvictionTasks.ts');
      return watchEvictionTasks(target, flags);
    }
    // labels are those of the templates, which are of any kind; of a live control plane they are asked for
    const kinds = flags.state?.length ? undefined : KINDS;
    const { namespace } = flags;
    const chosen = ({ world }: OpenedState) =>
      target ? bindingsNamed(target, world.bindings, namespace) : selectedBindings(world, flags);
    const first = await openStateToRead(flags, kinds, undefined, { namespace, worksOfEvictions: true });
    const play = needsPlaying(first.world, chosen(first));
    const state = play ? await readWhole(first, flags) : first;
    const { world, now, configuration, karmadaVersion, assumptions } = state;
    const timeout = 'graceful-eviction-timeout';
    const played = play
      ? (await import('../../useCases/eviction/playEvictions.ts')).playEvictions(state, flags['ready-after'])
      : undefined;
    const items = explainEvictionTasks(world, chosen(state), {
      now,
      configuration,
      ...(played ? { played: played.tasks } : {}),
      ...(unconfirmed(assumptions).has(timeout) ? { timeoutAssumed: `--assume ${timeout}=DURATION` } : {}),
    });
    const relevant = [
      ...assumptions.filter(({ name }) => ['now', 'karmadaVersion', timeout].includes(name)),
      ...(played?.assumptions ?? []),
    ];
    const detailed = target !== undefined;
    const asked = askedAbout(target, flags);
    await print(
      evictionTaskList({ items, now, karmadaVersion, assumptions: relevant, detailed, asked }),
      flags,
    );
  }
}
