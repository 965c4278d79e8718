// An esbuild plugin: Ink in chunks that are scripts (see build.mjs), in which nothing can be waited for when they are loaded. Ink waits
// for two things. For its development tools, if DEV=true: here it never is, and a compiler removes what then cannot be reached. And for
// the WebAssembly of yoga-layout: src/terminal/screen/yoga.ts stands in for it, which whoever draws loads first.
import { dirname, resolve } from 'node:path';
import swc from '@swc/core';
import { build } from 'esbuild';

const yoga = resolve(import.meta.dirname, '../src/terminal/screen/yoga.ts');

const neverDeveloped = {
  name: 'never-developed',
  setup(build) {
    build.onResolve({ filter: /^\.\/utils\.js$/ }, () => ({ path: 'utils', namespace: 'never-developed' }));
    // whoever imports it cannot be reached; if it could, the bundle would not be built
    build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'never-developed' }, () => ({
      contents: 'export const isDev = () => false;',
    }));
  },
};

/** Ink's own modules as one, without what only its development needs. */
async function ownModules(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'warning',
    plugins: [neverDeveloped],
  });
  const { code } = await swc.transform(outputFiles[0].text, {
    isModule: true,
    jsc: {
      target: 'es2022',
      minify: {
        mangle: false,
        compress: {
          defaults: false,
          dead_code: true,
          evaluate: true,
          inline: 3,
          reduce_funcs: true,
          toplevel: true,
        },
      },
    },
  });
  return code;
}

export const inkAsScript = {
  name: 'ink-as-script',
  setup(build) {
    build.onLoad({ filter: /[/\\]ink[/\\]build[/\\]index\.js$/ }, async ({ path }) => ({
      contents: await ownModules(path),
      resolveDir: dirname(path),
    }));
    build.onResolve({ filter: /^yoga-layout$/ }, () => ({ path: yoga }));
  },
};
