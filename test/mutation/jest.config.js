import base from '../../jest.config.js';

// One process runs them all.
const { globalSetup: _, workerIdleMemoryLimit: __, ...shared } = base;

// MUTATED_ROOM names the room, see rooms.ts. Whole drains and simulations would notice more changes, in a hundred times the time.
export default {
  ...shared,
  rootDir: '../..',
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/mutation/room.mutation.ts'],
};
