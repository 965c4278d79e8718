import base from '../../jest.config.js';

const { globalSetup: _, ...shared } = base;

// What holds the rooms that are mutated: their own tests, and the recorded decisions about them. Whole drains and simulations would
// notice more, in a hundred times the time.
export default {
  ...shared,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/engine/{taints,eviction}/**/*.test.ts',
    '<rootDir>/test/engine/drain/decide/**/*.test.ts',
    '<rootDir>/test/engine/drain/drainProperties.test.ts',
    '<rootDir>/test/kubernetes/redacted.test.ts',
    '<rootDir>/test/state/output/*.test.ts',
    '<rootDir>/test/state/**/*snapshot*.test.ts',
    '<rootDir>/test/mutation/*.mutation.ts',
  ],
};
