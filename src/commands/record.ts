import { BaseCommand } from '../cli/baseCommand.ts';
import { UserError } from '../cli/errors.ts';
import { liveFlags } from '../cli/flags.ts';
import { Args, Flags, optional } from '../cli/oclif/oclif.ts';

export default class Record extends BaseCommand {
  static override summary = 'Record changes of the control plane in a file, without secrets.';

  static override description = [
    'Saves the state at the start, as snapshot save does, and then every change with its time. It covers clusters,',
    'bindings, Works, policies and all else that failover depends on. To read the file, give it to --state of any command, and a',
    'moment of it to --at. timeline shows what happened; replay check compares predictions with it. It records until',
    "Ctrl-C, for the duration of --for, or while the command after -- runs; then it ends with that command's exit code.",
    'At most the last second is lost, even after a crash.',
  ].join(' ');

  static override usage = 'record FILE [--for DURATION] [flags] [-- COMMAND...]';

  static override examples = [
    { description: 'Half an hour', command: '<%= config.bin %> record incident.rec --for 30m' },
    {
      description: 'While a script runs',
      command: '<%= config.bin %> record upgrade.rec -- ./upgrade-members.sh',
    },
    {
      description: 'Continuously, in at most 200 MiB',
      command: '<%= config.bin %> record karmada.rec --max-size 100Mi',
    },
    {
      description: 'Evictions and their blockers at one moment',
      command: '<%= config.bin %> eviction inspect --state incident.rec --at 2026-11-22T13:19:00Z',
    },
  ];

  static override args = {
    file: Args.string({
      description: 'the file to write; it must not exist',
      required: true,
      ignoreStdin: true,
    }),
    command: Args.string({
      ...optional,
      multiple: true,
      description: 'a command to run during the recording, after --',
    }),
  };

  static override flags = {
    for: Flags.string({ summary: 'stop after this time', helpValue: 'DURATION' }),
    'max-size': Flags.string({
      summary:
        'when the file has this size, rename it to FILE.1, replacing the one before, and start a new one; default: no limit',
      helpValue: 'SIZE',
    }),
    ...liveFlags,
  };

  async run(): Promise<number> {
    const typed = this.argv;
    const { args, flags } = await this.parse(Record);
    const { command = [] } = args;
    const dashes = typed.indexOf('--');
    const words = dashes === -1 ? 0 : typed.length - dashes - 1;
    if (command.length !== words)
      throw new UserError(
        command.length > words
          ? `"${command[0]!}" is one name too many; give a command to run meanwhile after --`
          : 'the file is missing; name it before --',
      );
    const { recordControlPlane } = await import('../cli/recording/recordControlPlane.ts');
    return recordControlPlane(args.file, command, flags);
  }
}
