import { BaseCommand } from '../../cli/baseCommand.ts';
import { controllerRunFlags } from '../../cli/controller/runFlags.ts';

export default class ControllerRun extends BaseCommand {
  static override summary =
    "Run failover controllers in place of Karmada's own, by the rules of any version or of the proposal.";

  static override description = [
    'Watches clusters and bindings, and writes taints, evictions and the ends of evictions. It follows the rules of a',
    'version of Karmada or of the proposal, the same as failover simulate. Several processes may run; only the holder',
    'of the Lease writes. It refuses to run beside the same controllers of Karmada, or if the API would drop its',
    'fields. With --observe it writes nothing and logs its decisions. It runs until SIGTERM or Ctrl-C, and then',
    'finishes the current write.',
  ].join(' ');

  static override usage = 'controller run [--observe] [flags]';

  static override examples = [
    {
      description: 'Preview the decisions of these controllers',
      command:
        '<%= config.bin %> controller run --observe --feature-gates=Failover=true --enable-no-execute-taint-eviction=true',
    },
    {
      description: 'Only the taint manager, ten evictions per second and worker',
      command:
        '<%= config.bin %> controller run --controllers=taint-manager --feature-gates=Failover=true --enable-no-execute-taint-eviction=true --resource-eviction-rate=10 --host-context host',
    },
    {
      description: 'Settings from a file',
      command: '<%= config.bin %> controller run --config controller.yaml --host-context host',
    },
  ];

  static override flags = controllerRunFlags;

  async run(): Promise<number> {
    const { flags } = await this.parse(ControllerRun);
    const { runControllers } = await import('../../cli/controller/runControllers.ts');
    return runControllers(flags);
  }
}
