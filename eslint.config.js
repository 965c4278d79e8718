import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';

// One direction: commands → cli → operations, views, state → engine → karmada → kubernetes. The engine does
// no I/O and knows neither clock nor randomness, so that an answer depends on its arguments alone.
const rooms = {
  kubernetes: [],
  karmada: ['kubernetes'],
  engine: ['karmada', 'kubernetes'],
  state: ['engine', 'karmada', 'kubernetes'],
  operations: ['state', 'engine', 'karmada', 'kubernetes'],
  views: ['engine', 'karmada', 'kubernetes'],
  cli: ['operations', 'state', 'views', 'engine', 'karmada', 'kubernetes'],
};
const allRooms = [...Object.keys(rooms), 'commands'];

const zones = Object.entries(rooms).map(([room, allowed]) => ({
  target: `./src/${room}`,
  from: allRooms
    .filter((other) => other !== room && !allowed.includes(other))
    .map((other) => `./src/${other}`),
  message: `src/${room} may import only from ${[...allowed, 'itself'].join(', ')}.`,
}));

const pure = ['src/kubernetes/**/*.ts', 'src/karmada/**/*.ts', 'src/engine/**/*.ts'];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'coverage',
      'test/conformance/cases',
      'test/conformance/versions',
      'test/recordings/data',
      'bench/reference',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    plugins: { 'import-x': importX },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': ['error', { maxDepth: 8 }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
    settings: {
      'import-x/extensions': ['.ts', '.js'],
      'import-x/resolver': { node: { extensions: ['.ts', '.js'] } },
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
  },
  {
    files: pure,
    rules: {
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'performance'],
      'no-restricted-imports': [
        'error',
        { patterns: ['node:*', 'fs', 'path', 'os', '@oclif/*', 'ink', 'react'] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time comes in as an argument.' },
        { object: 'Math', property: 'random', message: 'The engine is deterministic.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Time comes in as an argument.',
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: ['bin/**/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { require: 'readonly', __dirname: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
