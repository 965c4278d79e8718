import { BaseCommand } from '../baseCommand.ts';
import { connectionFlags } from '../connectionFlags.ts';
import { dryRunFlag, momentFlags, outputFlags } from '../flags.ts';
import { Args, optional } from '../oclif/oclif.ts';
import { cordonClusters, type CordonAction } from './cordonClusters.ts';

/** The base of cordon and uncordon: the clusters, the flags, and one call. */
export abstract class CordonCommand extends BaseCommand {
  static override args = {
    cluster: Args.string({ ...optional, multiple: true, description: 'names of clusters' }),
  };

  static override flags = {
    'dry-run': dryRunFlag(
      'write nothing: print the changes (client), or also have the API server check them (server)',
    ),
    ...outputFlags,
    ...momentFlags,
    ...connectionFlags,
  };

  abstract readonly action: CordonAction;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CordonCommand);
    await cordonClusters(this.action, args.cluster ?? [], flags);
  }
}
