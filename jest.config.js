// JSON is imported with the attribute that Node asks for: without it each file warns.
// In .tsx what begins with < is an element, in .ts the parameters of a type.
const compiled = (tsx) => [
  '<rootDir>/test/ownBuiltins.mjs',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx },
      transform: { react: { runtime: 'automatic' } },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  },
];

export default {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/noForcedColours.mjs'],
  globalSetup: '<rootDir>/test/freshBundle.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.{ts,tsx}'],
  // what takes minutes, see jest.long.config.js
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.ts$': compiled(false), '^.+\\.tsx$': compiled(true) },
  // The only limit of time in tests: it ends what hangs. On a machine that is busy with other things any test may take minutes.
  testTimeout: 900_000,
  // A process that has loaded hundreds of files is slow to collect its garbage, and to count what ran: a new one goes on.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  coverageProvider: 'babel',
};
