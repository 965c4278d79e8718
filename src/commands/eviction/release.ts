import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';

export default class EvictionRelease extends EvictionActionCommand {
  static override summary = 'Release a held eviction: Karmada may end it again.';

  static override description = [
    'Removes suppressDeletion from the task. Karmada then ends it when the new copies report Healthy, or at its',
    'deadline, which may have passed already. It is refused (exit code 1) until another copy has been ready with all of',
    'its replicas, unless you give --allow-loss. Karmada itself does not require that.',
  ].join(' ');

  static override usage = 'eviction release KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Preview the effect',
      command: '<%= config.bin %> eviction release deployment/cart -n shop --dry-run=client',
    },
    {
      description: 'Release it to Karmada',
      command: '<%= config.bin %> eviction release deployment/cart -n shop',
    },
  ];

  readonly action = 'release';
}
