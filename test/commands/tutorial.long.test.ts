import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './cli.ts';
import { program } from '../program.ts';

/** A command of a page, and its printed lines; "…" means omitted ones. */
interface Reported {
  command: string;
  lines: string[];
}

function commandsOf(page: string): Reported[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/```console\n([^]*?)```/g);
  return [...blocks].flatMap(([, block]) =>
    block!.split(/^\$ /m).flatMap((one) => {
      const [command = '', ...lines] = one.trimEnd().split('\n');
      return command === '' ? [] : [{ command, lines: lines.filter((line) => line !== '…') }];
    }),
  );
}

const place = mkdtempSync(join(tmpdir(), 'tutorial-'));
symlinkSync(join(root, 'examples'), join(place, 'examples'));
afterAll(() => rmSync(place, { recursive: true }));

const reported = commandsOf('docs/tutorial.md');
const unspaced = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

test('the tutorial uses status, dashboard, eviction, drain and snapshot', () => {
  expect(reported.map(({ command }) => /karmada-failover (\w+)/.exec(command)![1])).toEqual(
    expect.arrayContaining(['failover', 'dashboard', 'eviction', 'drain', 'snapshot']),
  );
});

// One after another, in one directory, as a reader runs them.
test.each(reported)('the tutorial command runs: $command', ({ command, lines }) => {
  const start = program()
    .flat()
    .map((word) => JSON.stringify(word))
    .join(' ');
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', command.replaceAll('kubectl karmada-failover', start)],
    { cwd: place, encoding: 'utf8' },
  );
  // for a recording, the moment is printed there, and the location of a report
  const said = stderr.replace(/^(State at \S+, the end of the recording;|Report written to ).*\n/gm, '');
  expect({ status, stderr: said }).toEqual({ status: 0, stderr: '' });
  let from = 0;
  const printed = unspaced(stdout);
  for (const line of lines) {
    const at = printed.indexOf(unspaced(line), from);
    expect({ line, found: at >= 0, printed: at >= 0 ? '' : printed }).toEqual({
      line,
      found: true,
      printed: '',
    });
    from = at + unspaced(line).length;
  }
});
