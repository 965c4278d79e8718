import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';

// One direction: commands → cli → terminal → views → presentation, and cli → useCases → operations → state → the engine → kubernetes;
// views know the engine's answers. The engine is three layers: what Karmada does, how it plays out, what is asked of it. It does no
// I/O and knows neither clock nor randomness, so that an answer depends on its arguments alone. docs/architecture.md tells what each
// room holds.
const engine = ['analysis', 'simulator', 'karmada', 'kubernetes'];
const rooms = {
  kubernetes: [],
  karmada: ['kubernetes'],
  simulator: ['karmada', 'kubernetes'],
  analysis: ['simulator', 'karmada', 'kubernetes'],
  state: engine,
  operations: ['state', ...engine],
  useCases: ['operations', 'state', ...engine],
  presentation: ['kubernetes'],
  views: ['presentation', ...engine],
  page: ['views'],
  terminal: ['presentation', 'views', ...engine],
  cli: ['useCases', 'operations', 'state', 'terminal', 'views', 'presentation', ...engine],
};
const allRooms = [...Object.keys(rooms), 'commands'];

const zones = Object.entries(rooms).map(([room, allowed]) => ({
  target: `./src/${room}`,
  from: allRooms
    .filter((other) => other !== room && !allowed.includes(other))
    .map((other) => `./src/${other}`),
  message: `src/${room} may import only from ${[...allowed, 'itself'].join(', ')}.`,
}));

// The order inside each layer, lower rooms first: a room imports only from those before it, and what lies beside them is shared by all.
const layers = {
  karmada: [
    'dialects',
    'configuration',
    'api',
    'validation',
    'defaults',
    'objects',
    'selection',
    'controllers',
    'queues',
    'detection',
    'eviction',
    'scheduling',
    'status',
    'works',
    'application',
    'taints',
    'propagation',
    'members',
    'running',
  ],
  simulator: ['timeline', 'store', 'virtualTime', 'verdicts', 'simulation', 'comparison'],
  analysis: [
    'forecast',
    'history',
    'explanation',
    'drain',
    'audit',
    'evictionAction',
    'taintPolicy',
    'overview',
    'findings',
  ],
  // within a drain: what decides, what leads back, what plans
  'analysis/drain': ['decide', 'back', 'plan'],
};

const downwards = (layer, ordered) =>
  ordered.slice(0, -1).map((room, at) => ({
    target: `./src/${layer}/${room}`,
    from: ordered.slice(at + 1).map((higher) => `./src/${layer}/${higher}`),
    message: `${layer}/${room} may import only from the rooms below it (see eslint.config.js).`,
  }));
const layerZones = Object.entries(layers).flatMap(([layer, ordered]) => {
  for (const { name } of readdirSync(`./src/${layer}`, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  ))
    if (!ordered.includes(name)) throw new Error(`src/${layer}/${name} has no place in the order of rooms`);
  return downwards(layer, ordered);
});

const pure = ['kubernetes', 'karmada', 'simulator', 'analysis'].map((room) => `src/${room}/**/*.ts`);

export default tseslint.config(
  {
    ignores: [
      'dist',
      'release',
      'node_modules',
      'coverage',
      '.stryker-tmp',
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
      'import-x/no-restricted-paths': ['error', { zones: [...zones, ...layerZones] }],
      'import-x/no-cycle': ['error', { maxDepth: 8 }],
      // the bundle hands on what a file exports as values (scripts/build.mjs)
      'import-x/no-mutable-exports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
    settings: {
      'import-x/extensions': ['.ts', '.tsx', '.js'],
      'import-x/resolver': { node: { extensions: ['.ts', '.tsx', '.js'] } },
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
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
    // What use cases have of the outside are ports; test/useCases/flagNames.test.ts holds that they name no flag.
    files: ['src/useCases/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'performance'],
      'no-restricted-imports': [
        'error',
        { patterns: ['node:process', 'node:tty', 'node:readline*', '@oclif/*', 'ink', 'react'] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The state, or its server, says what the time is.' },
      ],
    },
  },
  {
    files: ['src/state/**/*.ts', 'src/operations/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'AbortSignal',
          property: 'any',
          message:
            'It leaves something with signals that live on: state/live/requests/linkedSignal.ts can be let go.',
        },
      ],
    },
  },
  {
    // One place prints: what others wrote is shown there as it may be shown (docs/security.md).
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/terminal/**', 'src/complete.ts', ...pure],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        ...['stdout', 'stderr'].map((stream) => ({
          selector: `MemberExpression[property.name='write'] > MemberExpression[object.name='process'][property.name='${stream}']`,
          message: 'Write through src/terminal: messages.ts, stdout.ts.',
        })),
        ...['writeFile', 'writeFileSync', 'createWriteStream', 'rename', 'renameSync', 'appendFile'].map(
          (name) => ({
            selector: `ImportDeclaration[source.value=/^node:fs/] ImportSpecifier[imported.name='${name}']`,
            message: 'Write through src/state/output.',
          }),
        ),
      ],
    },
  },
  {
    files: ['src/state/output/safeFile.ts', 'src/state/output/appendedFile.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // What cannot fail tests nothing.
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name=/^(test|describe)$/][property.name=/^(only|todo)$/]',
          message: 'All tests run.',
        },
        {
          selector: 'ExpressionStatement > CallExpression[callee.name="expect"]',
          message: 'What is expected of it? It needs a matcher.',
        },
        {
          selector:
            'ExpressionStatement > CallExpression > MemberExpression[object.property.name=/^(rejects|resolves)$/]',
          message: 'Await it: the test is over before it fails.',
        },
        {
          selector:
            'ExpressionStatement > CallExpression > MemberExpression[object.property.name="not"][object.object.property.name=/^(rejects|resolves)$/]',
          message: 'Await it: the test is over before it fails.',
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
