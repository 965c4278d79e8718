import base from '../../jest.config.js';

const { globalSetup: _, ...shared } = base;

// MUTATED_ROOM names the room, see rooms.ts. Whole drains and simulations would notice more changes, in a hundred times the time.
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/mutation/room.mutation.ts'],
};
