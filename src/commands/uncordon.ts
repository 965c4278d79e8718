import { cordonArgs, cordonClusters, cordonFlags } from '../cli/cordon/cordonClusters.ts';
import { BaseCommand } from '../cli/baseCommand.ts';

export default class Uncordon extends BaseCommand {
  static override summary = 'Let the scheduler use clusters again.';

  static override description = [
    'Takes the taint away that cordon and karmadactl cordon write, and what a drain has left on the Cluster. A drain that',
    'is still running stops. What a drain is evicting goes on its way, and is warned of: drain --cancel brings that back.',
    'What belongs on every cluster that its policy allows (Duplicated, or without replicas) Karmada puts there again.',
  ].join(' ');

  static override usage = 'uncordon CLUSTER... [flags]';

  static override examples = [
    {
      description: 'Back to work after maintenance',
      command: '<%= config.bin %> uncordon frankfurt',
    },
  ];

  static override args = cordonArgs;

  static override flags = cordonFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Uncordon);
    await cordonClusters('uncordon', args.cluster ?? [], flags);
  }
}
