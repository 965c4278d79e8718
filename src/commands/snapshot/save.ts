import { BaseCommand } from '../../cli/baseCommand.ts';
import { commandLine } from '../../cli/commandLine.ts';
import { flagNames } from '../../cli/flagNames.ts';
import { sourceFlags } from '../../cli/flags.ts';
import { Args, Flags } from '../../cli/oclif/oclif.ts';
import { refuseInputAsOutput } from '../../cli/refuseInputAsOutput.ts';
import { ports } from '../../cli/ports.ts';
import { momentFromFlag, sourceFromFlags } from '../../cli/stateRequest.ts';
import { writeSnapshot } from '../../cli/writeSnapshot.ts';
import { presentable } from '../../presentation/presentable.ts';
import { takeSnapshot } from '../../useCases/snapshot/takeSnapshot.ts';
import { writeToStdout } from '../../terminal/stdout.ts';

export default class SnapshotSave extends BaseCommand {
  static override summary = 'Save the state of the control plane in a file, without secrets.';

  static override description = [
    'Every command that only reads takes the file with --state, and answers as it would have answered live at that',
    'moment. The file holds clusters, bindings, Works, policies and all else that failover depends on. It also holds the time,',
    'and the flags and the version of Karmada if they can be read. It holds no Secrets, no tokens and no data of',
    'ConfigMaps. Of manifests and templates it holds only what scheduling reads, of annotations only those of',
    'Karmada. Of managedFields it holds only who last changed the taints of clusters.',
  ].join(' ');

  static override usage = 'snapshot save FILE [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'For later, or for others',
      command: '<%= config.bin %> snapshot save incident.json.gz --host-context host',
    },
    {
      description: 'What would have happened?',
      command: '<%= config.bin %> failover simulate --state incident.json.gz --fail frankfurt',
    },
    {
      description: 'Remove the secrets from the output of kubectl',
      command: '<%= config.bin %> snapshot save incident.json --state dump/',
    },
    {
      description: 'One moment of a recording',
      command: '<%= config.bin %> snapshot save before.json --state incident.rec --at 2026-11-22T13:17:50Z',
    },
  ];

  static override args = {
    file: Args.string({
      description: 'the file to write; - is stdout; if the name ends in .gz, the file is compressed',
      required: true,
      ignoreStdin: true,
    }),
  };

  static override flags = {
    ...sourceFlags,
    at: Flags.string({
      summary: 'the moment of a recording to save (RFC 3339); default: its end',
      helpValue: 'TIME',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotSave);
    refuseInputAsOutput('snapshot save', args.file, flags.state);
    const { text, world } = await takeSnapshot(
      { source: sourceFromFlags(flags), at: momentFromFlag(flags.at) },
      ports,
    );
    await writeSnapshot(args.file, text);
    if (args.file === '-') return;
    const { clusters, bindings, works } = world;
    void writeToStdout(
      `${presentable(args.file)}: ${clusters.length} clusters, ${bindings.length} bindings, ${works.length} Works\n\n${commandLine(['status', flagNames.ofState(args.file)])}\n`,
    );
  }
}
