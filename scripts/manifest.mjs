// Writes oclif.manifest.json, which describes the commands to oclif without loading them. With --print it writes to stdout; a test compares
// that with the committed file.
import { Plugin } from '@oclif/core/config';
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const classes = resolve(root, 'node_modules/.cache/manifest', `commands-${process.pid}.mjs`);
await build({
  stdin: {
    contents: `import { commands } from './src/commands/index.ts';
      const load = async ([id, command]) => [id, (await command()).default];
      export default Object.fromEntries(await Promise.all(Object.entries(commands).map(load)));`,
    resolveDir: root,
    sourcefile: 'commands.mjs',
  },
  outfile: classes,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
const pjson = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
pjson.oclif.commands = { strategy: 'explicit', target: classes, identifier: 'default' };
const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true });
await plugin.load();
const { commands, version } = plugin.manifest;
const sorted = Object.fromEntries(
  Object.keys(commands)
    .sort()
    .map((id) => [id, commands[id]]),
);
const text = `${JSON.stringify({ commands: sorted, version }, null, 2)}\n`;
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(resolve(root, 'oclif.manifest.json'), text);
