import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';
import { evictionActionFlags } from '../../cli/eviction/evictionActionFlags.ts';

export default class EvictionHold extends EvictionActionCommand {
  static override summary = 'Hold an eviction: keep the old copy without a deadline.';

  static override description = [
    'A graceful eviction task ends when the new copies report Healthy, or at its deadline. Then the old copy is',
    'deleted. This command sets suppressDeletion on the task: the old copy then stays until you',
    'release, complete or cancel the task. The exit code is 1 if the task has already ended.',
  ].join(' ');

  static override usage = 'eviction hold KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Keep the old copy until you release it',
      command: '<%= config.bin %> eviction hold deployment/cart -n shop --from member1',
    },
    {
      description: 'All evictions from a cluster',
      command: '<%= config.bin %> eviction hold --all --from member1 -A',
    },
  ];

  static override flags = evictionActionFlags;

  readonly action = 'hold';
}
