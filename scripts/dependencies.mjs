// The weight of each dependency, for docs/dependencies.md: its bytes in the bundle, and the milliseconds of CPU time to load it, bundled
// alone (the median of nine processes).
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'dependencies-'));
const metafile = join(scratch, 'meta.json');
const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], {
  cwd: root,
  env: { ...process.env, METAFILE: metafile },
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) throw new Error('the build failed');

const { outputs } = JSON.parse(readFileSync(metafile, 'utf8'));
const bytes = new Map();
for (const { inputs } of Object.values(outputs))
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const found = path.split('node_modules/').at(-1);
    const name = path.includes('node_modules/') ? /^(@[^/]+\/[^/]+|[^/]+)/.exec(found)[0] : '(our own)';
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }

const PROBE = `const before = process.cpuUsage();
import(process.argv[1]).then(() => { const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000); });`;
for (const name of Object.keys(dependencies)) {
  const outfile = join(scratch, 'one.mjs');
  const entry = join(scratch, 'entry.mjs');
  writeFileSync(entry, `export * from ${JSON.stringify(name)};`);
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' },
    ...{ nodePaths: [join(root, 'node_modules')], external: ['react-devtools-core'], minifyWhitespace: true },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = '';",
    },
  }).catch(() => undefined);
  const times = Array.from({ length: 9 }, () =>
    Number(spawnSync(process.execPath, ['-e', PROBE, outfile], { encoding: 'utf8' }).stdout),
  ).sort((a, b) => a - b);
  console.log(
    `${name}: ${Math.round((bytes.get(name) ?? 0) / 1000)} kB in the bundle, ${times[4].toFixed(0)} ms`,
  );
}
console.log('\nall that is in the bundle:');
for (const [name, size] of [...bytes].sort((a, b) => b[1] - a[1]).slice(0, 40))
  console.log(`${Math.round(size / 1000)} kB ${name}`);
rmSync(scratch, { recursive: true });
