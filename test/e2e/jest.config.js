import base from '../../jest.config.js';

// Nothing here runs the bundle of the sources; processes may keep it loaded.
const { globalSetup: _, workerIdleMemoryLimit: __, ...shared } = base;

// Each file starts a control plane, and mostly waits for it: two at a time.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/e2e'],
  testMatch: ['<rootDir>/test/e2e/**/*.e2e.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/e2e/nameBed.ts'],
  reporters: ['default', '<rootDir>/test/e2e/reporter.js'],
  testTimeout: 300_000,
  maxWorkers: 2,
};
