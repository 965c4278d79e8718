// Plays the members of the test bed in the given directory, until it is ended.
import { Bed } from '../controlPlane/bed.ts';
import { playMember } from './member.ts';
import { playPods } from './pods.ts';
import { playedKinds } from './playedKinds.ts';

const bed = Bed.at(process.argv[2] ?? '');
const { members, readyAfter, pods, widgets } = bed.file.options;
const kinds = playedKinds({ widgets });
const { signal } = new AbortController();
await Promise.all(
  members.flatMap(({ name }) => [
    playMember({ name, kinds, readyAfter }, bed.api(name), signal),
    ...(pods ? [playPods(bed.api(name), kinds, `${name}-node`, signal)] : []),
  ]),
);
