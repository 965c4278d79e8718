import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';

export default class EvictionCancel extends EvictionActionCommand {
  static override summary = 'Call an eviction off: back to the cluster that is being left.';

  static override description = [
    'In one write the task goes and the cluster returns to the scheduling result with the replicas that it had; what the',
    'replacement has gained is given back. The old copy never stopped, so nothing is interrupted. It is impossible where',
    'the old copy is gone, and refused (exit code 1) where it is not ready and a replacement would be given up for it,',
    'unless --allow-loss accepts that. Taints that would evict it again are warned of.',
  ].join(' ');

  static override usage = 'eviction cancel KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Back to where it was',
      command: '<%= config.bin %> eviction cancel deployment/cart -n shop --from member1',
    },
    {
      description: 'All that is leaving a cluster; see first',
      command: '<%= config.bin %> eviction cancel --all --from member1 -A --dry-run=server',
    },
  ];

  readonly action = 'cancel';
}
