import { describe } from '@jest/globals';
import { goesAsRecorded, QUICK } from './knownIncidents.ts';

describe.each(QUICK)('random incident %s', goesAsRecorded);
