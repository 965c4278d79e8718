import { describe } from '@jest/globals';
import { ALL, goesAsRecorded, QUICK } from './knownIncidents.ts';

describe.each(ALL.filter((name) => !QUICK.includes(name)))('random incident %s', goesAsRecorded);
