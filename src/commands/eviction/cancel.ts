import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';

export default class EvictionCancel extends EvictionActionCommand {
  static override summary = 'Cancel an eviction: the workload stays on its cluster.';

  static override description = [
    'One write removes the task and puts the cluster back into the scheduling result with its former replicas; the',
    'replacement loses them again. The old copy keeps running, so there is no downtime. It is impossible if the old',
    'copy is gone. It is refused (exit code 1) if the old copy is not ready and would replace a better one, unless',
    'you give --allow-loss. A warning names taints that would evict it again.',
  ].join(' ');

  static override usage = 'eviction cancel KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Keep a workload on its cluster',
      command: '<%= config.bin %> eviction cancel deployment/cart -n shop --from member1',
    },
    {
      description: 'Preview the cancellation of all evictions from a cluster',
      command: '<%= config.bin %> eviction cancel --all --from member1 -A --dry-run=server',
    },
  ];

  readonly action = 'cancel';
}
