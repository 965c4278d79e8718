import { BaseCommand } from '../cli/baseCommand.ts';
import { connectionFlags } from '../cli/connectionFlags.ts';
import { Args } from '../cli/oclif/oclif.ts';
import { shellScripts } from '../cli/completion/shellScripts.ts';
import { writeToStdout } from '../terminal/stdout.ts';
import { keysOf } from '../kubernetes/json.ts';

const shells = keysOf(shellScripts);

export default class Completion extends BaseCommand {
  static override summary = 'Print a script that completes commands, flags and names.';

  static override description = [
    'kubectl completes "kubectl karmada-failover" if kubectl_complete-karmada_failover is on the PATH. npm and the',
    'Debian package install it; krew does not: save the output of "completion kubectl". The other scripts complete',
    'kubectl-karmada_failover, without kubectl.',
  ].join(' ');

  static override usage = 'completion kubectl|bash|zsh|fish|powershell';

  static override examples = [
    {
      description: 'After an installation by krew',
      command:
        '<%= config.bin %> completion kubectl > ~/.krew/bin/kubectl_complete-karmada_failover && chmod +x ~/.krew/bin/kubectl_complete-karmada_failover',
    },
    {
      description: 'In bash, without kubectl',
      command: 'source <(kubectl-karmada_failover completion bash)',
    },
  ];

  static override args = {
    shell: Args.string({ description: 'kubectl, or the shell', required: true, options: shells }),
  };

  static override flags = { v: connectionFlags.v };

  async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const shell = shells.find((name) => name === args.shell);
    if (shell !== undefined) await writeToStdout(shellScripts[shell]);
  }
}
