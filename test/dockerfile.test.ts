import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import packageJson from '../package.json' with { type: 'json' };

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);

test('the image has all that the package needs to run, and runs its program', () => {
  for (const file of ['bin', 'dist', 'oclif.manifest.json', 'package.json'])
    expect(dockerfile).toMatch(new RegExp(`COPY --from=build .*/build/${file}`));
  expect(dockerfile).toContain(`"/app/${packageJson.bin['kubectl-karmada_failover']}"`);
});

test('what the build needs is not left out of it, and the user has a number, as runAsNonRoot asks', () => {
  for (const needed of ['bin', 'src', 'scripts', 'package.json', 'package-lock.json', 'oclif.manifest.json'])
    expect(ignored).not.toContain(needed);
  expect(dockerfile).toMatch(/^USER \d+:\d+$/m);
});
