// Keeps parts of @oclif/core out of the bundle. test/cli/oclif/expectations.test.ts checks what we expect of oclif.

// Modules that @oclif/core loads for plugins, TypeScript, spinners and WSL, all unused here. Colour is decided as in
// src/terminal/textOutput.ts, without loading node:tty.
export const replaced = {
  'ansi-escapes': '',
  // on a terminal oclif creates a spinner that is never shown here
  'cli-spinners': "module.exports = { dots2: { frames: [''] }, line: { frames: [''] } };",
  debug: 'module.exports = () => () => {};',
  // help texts are templates; ours use only values of the context, so nothing is compiled
  ejs: `exports.render = (text, context) =>
    text.replace(/<%= ?([\\w.]+) ?%>/g, (_, path) => path.split('.').reduce((value, key) => value[key], context));`,
  'get-package-type': '',
  lilconfig: '',
  minimatch: '',
  semver: '',
  // all help is ours, and each of its characters takes one column
  'string-width': `module.exports = (text) => text.replace(/\\u001b\\[[\\d;]*m/g, '').length;`,
  'supports-color': `const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
    exports.stdout = exports.stderr = FORCE_COLOR
      ? FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
      : Boolean(process.stdout.isTTY) && !NO_COLOR && TERM !== 'dumb';`,
  tinyglobby: '',
  'wsl-utils': 'exports.isWsl = false;',
};
// Node modules that @oclif/core loads at the start and rarely needs: loaded on demand.
export const lazy = new Set(['node:child_process', 'node:fs/promises', 'node:perf_hooks', 'node:readline']);

/** Bundles oclif without them. */
export const leanOclif = {
  name: 'lean-oclif',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
      // Ink draws with packages that oclif does not need; it and its dependencies are ES modules
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
