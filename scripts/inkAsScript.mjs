// Ink and yoga wait for something when they are loaded, which an ES module may and a script may not; the bundle's
// chunks are scripts (see build.mjs). Ink waits only for its development tools. Yoga waits for its WebAssembly: in
// the bundle it exports a promise named `ready` instead, which whoever draws waits for first.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

function replaced(text, from, to) {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`ink has changed: there is no ${from} in it any more`);
  return changed;
}

export const inkAsScript = {
  name: 'ink-as-script',
  setup(build) {
    build.onLoad({ filter: /[/\\]ink[/\\]build[/\\]reconciler\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const withoutTools = replaced(text, /if \(isDev\(\)\) \{\n {4}try \{[^]*?\n\}\n(?=const diff)/, '');
      return { contents: replaced(withoutTools, /isDev\(\)\s*\? await loadPackageJson\(\)\s*:/, '') };
    });
    build.onLoad({ filter: /[/\\]yoga-layout[/\\]dist[/\\]src[/\\]index\.js$/ }, ({ path }) => ({
      contents: `
        import loadYoga from '../binaries/yoga-wasm-base64-esm.js';
        import wrapAssembly from './wrapAssembly.js';
        let Yoga;
        export { Yoga as default };
        export const ready = loadYoga().then((assembly) => { Yoga = wrapAssembly(assembly); });
        export * from './generated/YGEnums.js';`,
      resolveDir: dirname(path),
    }));
  },
};
