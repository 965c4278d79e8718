// npm run mutation [-- --mutate 'src/engine/taints/**/*.ts']: changes the code of chosen rooms, a little at a time, and counts how
// many of the changes some test notices. CONTRIBUTING.md states the score.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    'src/engine/taints/**/*.ts',
    'src/engine/eviction/**/*.ts',
    'src/engine/drain/decide/**/*.ts',
    'src/kubernetes/redacted.ts',
    'src/state/snapshotRedaction.ts',
    'src/state/output/**/*.ts',
  ],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // what a message says is read by people, not held by tests
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 90, low: 80, break: 80 },
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'node_modules/.cache/mutation/report.json' },
  ignorePatterns: ['dist', 'docs', 'bench', 'coverage', 'test/e2e', 'test/chaos', 'test/oracle'],
  concurrency: 2,
  timeoutMS: 60_000,
};
