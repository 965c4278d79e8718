import { CordonCommand } from '../cli/cordon/cordonCommand.ts';

export default class Cordon extends CordonCommand {
  static override summary = 'Keep new workloads away from clusters; existing workloads stay.';

  static override description = [
    'Writes the taint cluster.karmada.io/unschedulable:NoSchedule, as karmadactl cordon does. The scheduler then',
    'places no new workload there, but may add replicas to workloads that are there already. drain does this first.',
  ].join(' ');

  static override usage = 'cordon CLUSTER... [flags]';

  static override examples = [
    {
      description: 'Keep new workloads away from two clusters',
      command: '<%= config.bin %> cordon frankfurt dublin',
    },
  ];

  readonly action = 'cordon';
}
