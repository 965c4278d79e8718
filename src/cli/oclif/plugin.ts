import type { Interfaces } from '@oclif/core';
import type { Command } from '@oclif/core/command';
import manifest from '../../../oclif.manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };

/** Modules of commands by oclif id; the default export is the command's class. */
export type Commands = Record<string, () => Promise<{ default: unknown }>>;

/**
 * The commands as the only plugin that oclif sees. At every start oclif would look on disk for the package, its manifest and the commands;
 * the bundle already contains all three.
 */
export function embeddedPlugin(root: string, commands: Commands): Interfaces.Plugin {
  const pjson = packageJson as unknown as Interfaces.PJSON;
  const load = async (id: string): Promise<Command.Class> => {
    const command = (await commands[id]!()).default as Command.Class;
    command.id = id;
    command.plugin = plugin;
    return command;
  };
  const cached = manifest.commands as unknown as Record<string, Command.Cached>;
  const plugin: Interfaces.Plugin = {
    _base: '',
    alias: packageJson.name,
    name: packageJson.name,
    version: packageJson.version,
    type: 'core',
    moduleType: 'module',
    root,
    pjson,
    options: { root, isRoot: true },
    isRoot: true,
    valid: true,
    hasManifest: true,
    hooks: {},
    commandsDir: undefined,
    commandIDs: Object.keys(cached),
    // identity matters: copying would parse the flags of all commands
    commands: Object.entries(cached).map(([id, command]) => Object.assign(command, { load: () => load(id) })),
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    findCommand: load,
    load: async () => {},
  };
  return plugin;
}
