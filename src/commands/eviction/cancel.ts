import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';

export default class EvictionCancel extends EvictionActionCommand {
  static override summary = 'Cancel an eviction: the workload stays on the cluster that it was leaving.';

  static override description = [
    'One write removes the task and puts the cluster back into the scheduling result with the replicas that it had; the',
    'replacement loses what it has gained. The old copy never stopped, so nothing is interrupted. This is impossible if the',
    'old copy is gone, and refused (exit code 1) if it is not ready and a replacement would be given up for it, unless',
    '--allow-loss accepts that. A warning names taints that would evict it again.',
  ].join(' ');

  static override usage = 'eviction cancel KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Bring a workload back',
      command: '<%= config.bin %> eviction cancel deployment/cart -n shop --from member1',
    },
    {
      description: 'See first what cancelling everything that leaves a cluster would do',
      command: '<%= config.bin %> eviction cancel --all --from member1 -A --dry-run=server',
    },
  ];

  readonly action = 'cancel';
}
