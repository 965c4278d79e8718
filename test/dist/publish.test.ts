import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Plays GitHub: a release is a folder, which is created once. `tamper` is a shell script that runs before it is downloaded. */
const GH = (tamper: string, refused: string) => `#!/bin/sh
set -e
echo "$*" >> "$PLACE/log"
case "$1 $2" in
'release create')
  mkdir "$PLACE/$3"
  shift 3
  for one; do [ -d "$PLACE/v1/$one" ] || case "$one" in /*) cp "$one" "$PLACE/v1" ;; esac; done
  cd "$PLACE/v1"; ${tamper} ;;
'release download') cp "$PLACE/$3"/* "$5" ;;
'attestation verify') case "$3" in ${refused}) echo "no attestation for $3" >&2; exit 1 ;; esac ;;
*) exit 64 ;;
esac
`;

function published({ tamper = ':', refused = '/none', times = 1 } = {}) {
  const place = temporaryFolder('publish-');
  const release = join(place, 'release');
  mkdirSync(join(release, 'linux-amd64'), { recursive: true });
  for (const name of ['a.tar.gz', 'b.deb', 'SHA256SUMS'])
    writeFileSync(join(release, name), `content of ${name}`);
  writeFileSync(join(place, 'gh'), GH(tamper, refused));
  chmodSync(join(place, 'gh'), 0o755);
  const env = {
    ...process.env,
    PLACE: place,
    GITHUB_REPOSITORY: 'o/r',
    PATH: `${place}${delimiter}${process.env['PATH']}`,
  };
  const run = () => spawnSync('node', ['scripts/dist/publish.mjs', 'v1', release], { encoding: 'utf8', env });
  let ended = run();
  for (let more = 1; more < times; more++) ended = run();
  const log = readFileSync(join(place, 'log'), 'utf8').trimEnd().split('\n');
  return { code: ended.status, stderr: ended.stderr, log, released: join(place, 'v1') };
}

test('publishing uploads the files of a release, downloads them again, and verifies the attestation of each', () => {
  const { code, stderr, log, released } = published();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readdirSync(released).sort()).toEqual(['SHA256SUMS', 'a.tar.gz', 'b.deb']);
  expect(log.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'release create',
    'release download',
    'attestation verify',
    'attestation verify',
  ]);
  expect(log[0]).toContain('release create v1 --verify-tag --notes-file CHANGELOG.md ');
  expect(log.at(-1)).toMatch(/b\.deb --repo o\/r$/);
});

test('publishing fails if the release exists, and replaces nothing', () => {
  const { code, stderr, log } = published({ times: 2 });
  expect(code).toBe(1);
  expect(stderr).toContain('release v1 is not verified: Command failed: gh release create v1');
  expect(log.filter((line) => line.startsWith('release download'))).toHaveLength(1);
});

test.each([
  ['echo other > a.tar.gz', 'a.tar.gz of release v1 differs from the one in '],
  ['rm b.deb', 'b.deb is missing from release v1\n'],
  ['touch c.deb', 'c.deb is in release v1, and not in '],
])('publishing fails if a downloaded file differs: %s', (tamper, problem) => {
  const { code, stderr } = published({ tamper });
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
});

test('publishing fails if an asset was not built by the workflow', () => {
  const { code, stderr } = published({ refused: '*/b.deb' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/no attestation for .*b\.deb/);
});

test('the release workflow runs these steps in this order', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
  const steps = [...workflow.matchAll(/^ +- run: (.+)$/gm)].map(([, line]) => line!);
  const scripts = steps.flatMap((line) => line.match(/scripts\/dist\/\w+\.mjs/g) ?? []);
  expect(scripts).toEqual(['scripts/dist/checkTag.mjs', 'scripts/dist/publish.mjs']);
  expect(scripts.filter((file) => !existsSync(file))).toEqual([]);
  expect(steps.at(-1)).toBe('node scripts/dist/publish.mjs "$GITHUB_REF_NAME" release');
  expect(workflow.indexOf('attest-build-provenance')).toBeLessThan(workflow.indexOf('publish.mjs'));
});
