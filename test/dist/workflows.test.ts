import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>;
}

/** The commands of a workflow's jobs, line by line. */
function linesOf(name: string): string[] {
  const { jobs } = parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run ? [run] : [])));
}

test.each(['ci', 'release'])('each step of %s.yml is an existing script', (name) => {
  const lines = linesOf(name).join('\n');
  const scripts = [...lines.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script!);
  expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([]);
  const files = [...lines.matchAll(/node (scripts\/\S+)/g)].map(([, file]) => file!);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(scripts.length + files.length).toBeGreaterThan(3);
});

test.each(['ci', 'release'])(
  '%s.yml tests every way of installation, with the same tools as .ci/run',
  (name) => {
    const lines = linesOf(name);
    const at = lines.findIndex((line) => line.endsWith('npm run packages'));
    const [, listed] = /apt-get install --yes (.+)$/.exec(lines[at - 1]!)!;
    // pairs of a program and its package
    const [, pairs] = /installed ((?:\S+ \S+ )+)&& npm run --silent packages/.exec(
      readFileSync('.ci/run', 'utf8'),
    )!;
    const packages = pairs!
      .trim()
      .split(' ')
      .filter((_, index) => index % 2 === 1);
    expect(listed!.split(' ').sort()).toEqual(packages.sort());
  },
);
