// What of @oclif/core does not get into the bundle. test/cli/oclif/expectations.test.ts holds what is expected of oclif here.

// What @oclif/core loads for plugins, TypeScript, spinners and WSL, none of which is used here. Whether there
// is colour is decided as in src/terminal/textOutput.ts, without loading node:tty.
export const replaced = {
  'ansi-escapes': '',
  // on a terminal oclif makes a spinner that it never shows here
  'cli-spinners': "module.exports = { dots2: { frames: [''] }, line: { frames: [''] } };",
  debug: 'module.exports = () => () => {};',
  // help texts are templates; ours use values of the context alone, for which nothing needs to be compiled
  ejs: `exports.render = (text, context) =>
    text.replace(/<%= ?([\\w.]+) ?%>/g, (_, path) => path.split('.').reduce((value, key) => value[key], context));`,
  'get-package-type': '',
  lilconfig: '',
  minimatch: '',
  semver: '',
  // help is ours, and each of its characters takes one column
  'string-width': `module.exports = (text) => text.replace(/\\u001b\\[[\\d;]*m/g, '').length;`,
  'supports-color': `const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
    exports.stdout = exports.stderr = FORCE_COLOR
      ? FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
      : Boolean(process.stdout.isTTY) && !NO_COLOR && TERM !== 'dumb';`,
  tinyglobby: '',
  'wsl-utils': 'exports.isWsl = false;',
};
// Parts of Node that @oclif/core loads at the start and hardly ever needs: loaded when they are.
export const lazy = new Set(['node:child_process', 'node:fs/promises', 'node:perf_hooks', 'node:readline']);

/** Bundles oclif without them. */
export const leanOclif = {
  name: 'lean-oclif',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
      // Ink draws with what oclif has no use for; it and what it needs are ES modules
      if (kind === 'import-statement') return undefined;
      if (path in replaced) return { path, namespace: 'replaced' };
      if (lazy.has(path) && importer.includes('@oclif')) return { path, namespace: 'lazy' };
      return undefined;
    });
    build.onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({ contents: replaced[path] }));
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] });`,
    }));
  },
};
