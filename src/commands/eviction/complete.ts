import { EvictionActionCommand } from '../../cli/eviction/evictionActionCommand.ts';

export default class EvictionComplete extends EvictionActionCommand {
  static override summary = 'End an eviction now: Karmada removes the old copy without waiting.';

  static override description = [
    'Sets suppressDeletion to false. Karmada then ends the task at once, whatever the state of the new copies. It is',
    'refused (exit code 1) while the old copy may still serve and no other copy has been fully ready, unless you give',
    '--allow-loss.',
  ].join(' ');

  static override usage = 'eviction complete KIND/NAME... [--from CLUSTER] [flags]';

  static override examples = [
    {
      description: 'Delete the old copy now',
      command: '<%= config.bin %> eviction complete deployment/cart -n shop --from member1',
    },
    {
      description: 'Delete it without a replacement',
      command: '<%= config.bin %> eviction complete deployment/cart -n shop --from member1 --allow-loss',
    },
  ];

  readonly action = 'complete';
}
