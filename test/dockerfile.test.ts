import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const dockerfile = readFileSync('Dockerfile', 'utf8');

test('the image contains the executable of npm run dist, and starts it', () => {
  const [, copied] = /^COPY linux-\$\{TARGETARCH\}\/kubectl-karmada_failover (\S+)$/m.exec(dockerfile)!;
  expect(dockerfile).toContain(`ENTRYPOINT ["${copied}"]`);
});

test('the base image is an argument, and the user is numeric for runAsNonRoot', () => {
  expect(dockerfile).toMatch(/^ARG BASE=\S+\nFROM \$\{BASE\}$/m);
  expect(dockerfile).toMatch(/^USER \d+:\d+$/m);
});
