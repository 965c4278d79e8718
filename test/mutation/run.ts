// npm run mutation [-- ROOM… | ROOM FILE…]: changes the code of some rooms, or of some files of one, a little, one change at a time, and
// counts how many of the changes some test notices. CONTRIBUTING.md states the scores.
import { Stryker } from '@stryker-mutator/core';
import { rooms } from './rooms.ts';

/** percent of the changes that must be noticed */
const LEAST = 80;

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const given = process.argv.slice(2);
const files = given.filter((name) => name.endsWith('.ts'));
const asked = given.filter((name) => !files.includes(name));
const unknown = asked.filter((name) => !(name in rooms));
if (unknown.length > 0) {
  console.error(
    `error: ${unknown.join(', ')}: no room of that name; there are ${Object.keys(rooms).join(', ')}`,
  );
  process.exit(2);
}
if (files.length > 0 && asked.length !== 1) {
  console.error('error: name the one room that the files belong to: npm run mutation -- ROOM FILE…');
  process.exit(2);
}

const lines: string[] = [];
let low = false;
for (const name of asked.length > 0 ? asked : Object.keys(rooms)) {
  const { changed, ...held } = rooms[name]!;
  // the processes that run the tests inherit it
  process.env['MUTATED_ROOM'] = JSON.stringify(held);
  const results = await new Stryker({
    mutate: files.length > 0 ? files : changed,
    jsonReporter: { fileName: `node_modules/.cache/mutation/${name}.json` },
  }).runMutationTest();
  const { score, text } = scored(results);
  lines.push(`${name.padEnd(15)} ${text}`);
  low ||= score < LEAST;
}
console.log(`\n${lines.join('\n')}`);
if (low) {
  console.error(
    `error: fewer than ${LEAST} % of the changes of a room are noticed; node_modules/.cache/mutation says which are not`,
  );
  process.exit(1);
}

/** The percentage of changes that made a test fail. Changes that do not compile or are excluded are not counted. */
function scored(results: Result[]): { score: number; text: string } {
  const count = (...statuses: Result['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const missed = count('Survived', 'NoCoverage');
  const score = (100 * noticed) / (noticed + missed);
  const text = `${score.toFixed(1)} % of ${noticed + missed} changes are noticed (${count('Timeout')} of them by no end), ${count('NoCoverage')} reach no test`;
  return { score, text };
}
