import packageJson from '../../package.json' with { type: 'json' };
import { connectFromFlags, type ConnectionFlags } from '../cli/connectFromFlags.ts';
import { connectionFlags } from '../cli/connectionFlags.ts';
import { outputFlags } from '../cli/flags.ts';
import { BaseCommand } from '../cli/baseCommand.ts';
import { Flags } from '../cli/oclif/oclif.ts';
import { print } from '../cli/print.ts';
import { knownVersions } from '../karmada/dialects/dialects.ts';
import { versionAnswer, type VersionInput } from '../views/versionAnswer.ts';

export default class Version extends BaseCommand {
  static override summary = 'Print the versions of this command and of Karmada.';

  static override description = [
    "Karmada's API server does not report Karmada's version, so this command infers it from the API. If the control",
    'plane cannot be reached, it prints its own version.',
  ].join(' ');

  static override usage = 'version [--client] [flags]';

  static override examples = [
    { description: 'Without a control plane', command: '<%= config.bin %> version --client' },
  ];

  static override flags = {
    client: Flags.boolean({ summary: 'do not contact the control plane' }),
    ...outputFlags,
    ...connectionFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Version);
    const { bun } = process.versions;
    const runtime = bun === undefined ? {} : { bun };
    const local: VersionInput = {
      client: { version: packageJson.version, node: process.version, ...runtime },
      known: [...knownVersions],
    };
    let server: VersionInput['server'];
    try {
      if (!flags.client) server = await versionOfServer(flags);
    } finally {
      await print(versionAnswer(server ? { ...local, server } : local), flags);
    }
  }
}

async function versionOfServer(flags: ConnectionFlags): Promise<VersionInput['server']> {
  const { serverVersion } = await import('../useCases/version/serverVersion.ts');
  return serverVersion(await connectFromFlags(flags));
}
