import quick from './jest.config.js';

// npm run packages: what npm run dist publishes, installed in every way that the README names, and run. It takes Debian's debootstrap, buildah,
// podman and qemu, Go for krew, and root; what is missing is skipped, unless NOTHING_SKIPPED is set.
export default {
  ...quick,
  testMatch: ['<rootDir>/test/packages/*.packages.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/packages/freshRelease.mjs',
  testTimeout: 600_000,
  maxWorkers: 1,
};
