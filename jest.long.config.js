import quick from './jest.config.js';

// npm run test:long: what counts operations, waits, kills, or plays more worlds and incidents than anyone waits for before each change.
export default {
  ...quick,
  testMatch: ['<rootDir>/test/**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
