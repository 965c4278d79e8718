// Limits commit subjects to 72 characters, from the commit that introduced the rule. The last line is "N passed, N failed". If the history
// lacks that commit, as in a shallow clone or a package, it says so and judges no commits.
import { spawnSync } from 'node:child_process';

const MAX = 72;
const RULE_CAME_WITH = 'Cut the engine into three storeys: karmada, simulator, analysis';

const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%h %s'], { encoding: 'utf8' });
const commits = (status === 0 ? stdout.trimEnd() : '').split('\n').map((line) => {
  const [, hash, subject] = /^(\S*) ?(.*)$/.exec(line);
  return { hash, subject };
});
const since = commits.findIndex(({ subject }) => subject === RULE_CAME_WITH);
if (since === -1) {
  console.log(`skipped: "${RULE_CAME_WITH}" is not in the history that is here`);
  console.log('0 passed, 0 failed, 1 skipped');
} else {
  const judged = commits.slice(0, since);
  const long = judged.filter(({ subject }) => subject.length > MAX);
  for (const { hash, subject } of long)
    console.log(`${hash} has ${subject.length} characters, at most ${MAX}: ${subject}`);
  console.log(`${judged.length - long.length} passed, ${long.length} failed`);
  process.exitCode = long.length > 0 ? 1 : 0;
}
