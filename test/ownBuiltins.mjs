// Compiles TypeScript for jest, as @swc/jest does, and makes the builtins of JavaScript constants of each module. jest runs a test file in a
// vm context of its own, where each look at a global asks Node's interceptors first: 45 times the time of a constant.
import swc from '@swc/jest';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// Without those that fake timers replace.
const BUILTINS = [
  ...[
    'Array',
    'BigInt',
    'Boolean',
    'Error',
    'Infinity',
    'Intl',
    'JSON',
    'Map',
    'Math',
    'NaN',
    'Number',
    'Object',
    'Promise',
    'Proxy',
  ],
  ...[
    'Reflect',
    'RegExp',
    'Set',
    'String',
    'Symbol',
    'TypeError',
    'Uint8Array',
    'WeakMap',
    'WeakSet',
    'isNaN',
    'parseFloat',
    'parseInt',
  ],
];
const own = readFileSync(new URL(import.meta.url));

/** The builtins that a compiled module names and does not declare or import. */
function used(code) {
  return BUILTINS.filter(
    (name) =>
      new RegExp(String.raw`\b${name}\b`).test(code) &&
      !new RegExp(
        String.raw`\b(?:class|const|let|var|function|as|import) ${name}\b|^import[^;]*\b${name}\b`,
        'm',
      ).test(code),
  );
}

/** On the first line, so that the lines of errors stay. */
function withConstants(result) {
  const names = used(result.code);
  return names.length === 0
    ? result
    : { ...result, code: `const { ${names.join(', ')} } = globalThis; ${result.code}` };
}

export default {
  createTransformer(options) {
    const compiler = swc.createTransformer(options);
    return {
      ...compiler,
      getCacheKey: (...args) =>
        createHash('sha256')
          .update(compiler.getCacheKey(...args))
          .update(own)
          .digest('hex'),
      process: (...args) => withConstants(compiler.process(...args)),
      processAsync: async (...args) => withConstants(await compiler.processAsync(...args)),
    };
  },
};
