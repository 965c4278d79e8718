export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/freshBundle.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  // on a busy machine a process that a test starts may take many seconds
  testTimeout: 60_000,
  coverageProvider: 'babel',
};
