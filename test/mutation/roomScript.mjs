// All tests of a room and their imports, as the text of one CommonJS module. Installed packages are not included.
import { build, stop } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Relative to the current directory: paths; directories stand for the tests in them. */
export async function roomScript({ tests, recorded }) {
  const files = tests.flatMap((path) => (path.endsWith('.ts') ? [path] : testsIn(path)));
  const contents = [
    ...files.map((file) => `import ${JSON.stringify(`./${file}`)};`),
    `import { testRecorded } from './test/mutation/recorded.ts';`,
    `export const ready = testRecorded(${JSON.stringify(recorded)});`,
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    jsx: 'automatic',
    plugins: [directories],
    logLevel: 'error',
    write: false,
  });
  // its process would stay as long as this one
  await stop();
  return outputFiles[0].text;
}

function testsIn(path) {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => join(path, file));
}

/** An esbuild plugin: each module keeps its own directory. */
const directories = {
  name: 'directories',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\](src|test)[/\\].*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};
