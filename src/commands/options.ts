import { BaseCommand } from '../cli/baseCommand.ts';
import { liveFlags } from '../cli/flags.ts';
import { showHelp } from '../cli/oclif/showHelp.ts';

export default class Options extends BaseCommand {
  static override summary =
    'List the flags that choose the control plane. Every command that reads one takes them.';

  static override description = [
    'They choose the control plane and the user, as they do for kubectl. Give the kubeconfig context of the Karmada',
    'API server, not that of the cluster that runs Karmada. With --host-context the feature gates and flags of',
    "Karmada's components are read from that cluster. In explain and taint-policy explain, --cluster names a member",
    'cluster.',
  ].join(' ');

  static override usage = 'options';

  static override examples = [
    {
      description: 'Another context of the kubeconfig',
      command: '<%= config.bin %> status --karmada-context karmada',
    },
    {
      description: "Karmada's feature gates and flags, too",
      command: '<%= config.bin %> status --karmada-context karmada --host-context host',
    },
  ];

  static override flags = liveFlags;

  async run(): Promise<void> {
    await this.parse(Options);
    await showHelp(['options'], this.config);
  }
}
