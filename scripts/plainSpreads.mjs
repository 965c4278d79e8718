// An esbuild plugin: no object literal of ours begins with a spread. What V8 (of Node 20) makes of `{ ...a, b }` is an object whose
// hidden class is in no tree: with b each single object gets a hidden class of its own, which takes ten times as long, half a
// kilobyte, and the speed of all code that sees such objects. Behind another element the same spread gives a usual object.
import { readFile } from 'node:fs/promises';

/** As prettier writes them: in JSX there is no space. */
const LEADING_SPREAD = /\{(?=\s+\.\.\.)/g;

export const plainSpreads = {
  name: 'plain-spreads',
  setup(build) {
    build.onLoad({ filter: /[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replace(LEADING_SPREAD, '{ ...{},'),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      };
    });
  },
};
