import { CordonCommand } from '../cli/cordon/cordonCommand.ts';

export default class Uncordon extends CordonCommand {
  static override summary = 'Let the scheduler use clusters again.';

  static override description = [
    'Removes the taint that cordon and karmadactl cordon write, and the mark of a drain on the Cluster. A drain that',
    'is still running stops. Its evictions continue, with a warning: drain --cancel brings the workloads back.',
    'Karmada itself puts back workloads that belong on every cluster of their policy (Duplicated, or without',
    'replicas).',
  ].join(' ');

  static override usage = 'uncordon CLUSTER... [flags]';

  static override examples = [
    {
      description: 'Use a cluster again after maintenance',
      command: '<%= config.bin %> uncordon frankfurt',
    },
  ];

  readonly action = 'uncordon';
}
