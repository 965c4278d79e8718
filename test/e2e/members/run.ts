// Plays the members of the test bed whose directory is given, until it is ended.
import { Bed } from '../controlPlane/bed.ts';
import { playMember } from './member.ts';

const bed = Bed.at(process.argv[2] ?? '');
const { members, readyAfter } = bed.file.options;
const { signal } = new AbortController();
await Promise.all(members.map(({ name }) => playMember(name, bed.api(name), readyAfter, signal)));
