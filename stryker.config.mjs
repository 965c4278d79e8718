// For npm run mutation; test/mutation/rooms.ts says which code is changed.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  // what a message says is read by people, not held by tests
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['progress-append-only', 'json'],
  ignorePatterns: ['dist', 'docs', 'bench', 'coverage', 'test/e2e', 'test/chaos', 'test/oracle'],
  concurrency: 2,
  // modules of a test runner stay in its memory, which slows it down more and more
  maxTestRunnerReuse: 60,
  timeoutMS: 15_000,
};
