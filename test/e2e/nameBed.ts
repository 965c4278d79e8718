import { basename } from 'node:path';
import { expect } from '@jest/globals';

// The beds of a test file have its name, so that its logs can be found.
process.env.E2E_BED_NAME = basename(expect.getState().testPath ?? 'bed', '.e2e.ts');
