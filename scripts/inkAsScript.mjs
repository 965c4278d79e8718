// An esbuild plugin: Ink in chunks that are scripts (see build.mjs), which cannot use top-level await. Ink awaits two imports. Its
// development tools, if DEV=true: never set here, so the compiler drops the unreachable code. And the WebAssembly of yoga-layout:
// src/terminal/screen/yoga.ts replaces it, and is loaded before drawing.
import { dirname, resolve } from 'node:path';
import swc from '@swc/core';
import { build } from 'esbuild';

const yoga = resolve(import.meta.dirname, '../src/terminal/screen/yoga.ts');

const neverDeveloped = {
  name: 'never-developed',
  setup(build) {
    build.onResolve({ filter: /^\.\/utils\.js$/ }, () => ({ path: 'utils', namespace: 'never-developed' }));
    // its importers are unreachable; if they were not, the build would fail
    build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'never-developed' }, () => ({
      contents: 'export const isDev = () => false;',
    }));
  },
};

/** Ink's own modules as one, without its development code. */
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
