// For npm run mutation; test/mutation/rooms.ts says which code is changed.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'room',
  plugins: ['./test/mutation/roomRunner.mjs'],
  coverageAnalysis: 'perTest',
  // what a message says is read by people, not held by tests
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['progress-append-only', 'json'],
  ignorePatterns: ['dist', 'docs', 'bench', 'coverage', 'test/e2e', 'test/chaos', 'test/oracle'],
  concurrency: 2,
  // modules of a test runner stay in its memory, which slows it down more and more
  maxTestRunnerReuse: 60,
  timeoutMS: 5_000,
};
