// Releases a folder of `npm run dist` under a tag, downloads it again and verifies it: node scripts/dist/publish.mjs TAG FOLDER
//
// Nothing is ever replaced: gh refuses an existing release, because the checksums of krew's index and of users would no longer match.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [tag, folder] = process.argv.slice(2);
const gh = (...argv) => execFileSync('gh', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
const filesOf = (place) =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const files = filesOf(folder);
const paths = files.map((name) => join(folder, name));
const downloads = mkdtempSync(join(tmpdir(), 'release-'));
try {
  gh('release', 'create', tag, '--verify-tag', '--notes-file', 'CHANGELOG.md', ...paths);
  gh('release', 'download', tag, '--dir', downloads);
  const problems = files
    .filter((name) => !filesOf(downloads).includes(name))
    .map((name) => `${name} is missing from release ${tag}`);
  for (const name of filesOf(downloads)) {
    if (!files.includes(name)) problems.push(`${name} is in release ${tag}, and not in ${folder}`);
    else if (sha256(join(downloads, name)) !== sha256(join(folder, name)))
      problems.push(`${name} of release ${tag} differs from the one in ${folder}`);
    // checks who built it, as attested by the workflow; SHA256SUMS itself is not attested
    else if (name !== 'SHA256SUMS')
      gh('attestation', 'verify', join(downloads, name), '--repo', process.env.GITHUB_REPOSITORY);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  // gh has printed the reason
  console.error(`release ${tag} is not verified: ${error.message.split('\n')[0]}`);
  process.exitCode = 1;
} finally {
  rmSync(downloads, { recursive: true });
}
