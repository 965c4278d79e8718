import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const dockerfile = readFileSync('Dockerfile', 'utf8');

test('the image holds the executable that npm run dist has made, and starts it', () => {
  const [, copied] = /^COPY linux-\$\{TARGETARCH\}\/kubectl-karmada_failover (\S+)$/m.exec(dockerfile)!;
  expect(dockerfile).toContain(`ENTRYPOINT ["${copied}"]`);
});

test('its base is an argument, and the user has a number, as runAsNonRoot asks', () => {
  expect(dockerfile).toMatch(/^ARG BASE=\S+\nFROM \$\{BASE\}$/m);
  expect(dockerfile).toMatch(/^USER \d+:\d+$/m);
});
