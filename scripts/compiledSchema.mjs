// An esbuild plugin: replaces ajv and the plan schemas with the code that ajv generates from them, which saves a tenth of a second for each
// plan read.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

async function evaluated(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  });
  const module = { exports: {} };
  new Function('module', 'require', outputFiles[0].text)(module, createRequire(path));
  return module.exports;
}

export const compiledSchema = {
  name: 'compiled-schema',
  setup(build) {
    build.onLoad(
      { filter: /[/\\]src[/\\]state[/\\]plan[/\\](planValidator|deletionPlanValidator)\.ts$/ },
      async ({ path }) => {
        const { ajv, validate } = await evaluated(path);
        return { contents: standalone.default(ajv, validate), loader: 'js', resolveDir: dirname(path) };
      },
    );
  },
};
