// An esbuild plugin: no object literal of ours begins with a spread. V8 of Node 20 gives every object of `{ ...a, b }` its own hidden
// class, which takes ten times as long and half a kilobyte, and slows all code that uses such objects. After another element the same
// spread gives a normal object. Newer ones are six times slower with it, so bin/bundle.js takes the empty spreads out for these.
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
