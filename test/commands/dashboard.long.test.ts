import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRecordedFile } from '../recordings/recordedFile.ts';
import { readRecording } from '../recordings/recording.ts';
import { run } from './cli.ts';
import { preloading } from '../program.ts';

const dashboard = (stdin: string, ...more: string[]) =>
  run(['dashboard', '--plain', '--state', 'examples/shop', ...more], { stdin });

test('dashboard without a terminal is refused, with an alternative', () => {
  const { code, stdout, stderr } = run(['dashboard', '--state', 'examples/shop']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: the dashboard needs a terminal.*--plain.*failover status/);
});

test('dashboard cannot read both keys and a state from stdin', () => {
  expect(run(['dashboard', '--plain', '--state', '-'], { stdin: '[]' })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: --state -: /),
  });
});

describe('dashboard --plain', () => {
  test('prints the first page without any input', () => {
    const { code, stdout, stderr } = dashboard('');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      'Failover on; all 5 clusters Ready; 1 eviction\nYou are at: clusters\n5 clusters;',
    );
  });

  test('prints the first three evictions, events and workloads in trouble on the first page', () => {
    const { stdout } = run(['dashboard', '--plain', '--state', 'examples/incident'], { stdin: '' });
    const [, glance] = stdout.split(/^5\. dublin.*\n/m);
    expect(glance!.match(/^(evictions|events|workloads).*$/gm)).toEqual([
      'evictions: 6; :evictions shows all',
      'workloads in trouble: 6; :workloads shows all',
      'events: 14; :events shows all',
    ]);
    expect(glance!.match(/^- /gm)).toHaveLength(3 + 3 + 3);
    expect(glance).toContain('- data/statefulset/ledger; from frankfurt; to nowhere;');
    expect(
      run(['dashboard', '--plain', '--state', 'examples/incident'], { stdin: ':evictions\n' }).stdout,
    ).toMatch(/^6 evictions; columns(?!.*events: )/ms);
  });

  test('opens a line by its number, and returns with b', () => {
    const { code, stdout } = dashboard(':workloads\n/ledger\n1\ne\nb\nb\nq\n:events\n');
    expect(code).toBe(0);
    expect(stdout.match(/^You are at: .*$/gm)).toEqual([
      'You are at: clusters',
      'You are at: workloads',
      'You are at: workloads',
      'You are at: workloads > data/ledger-statefulset',
      'You are at: workloads > data/ledger-statefulset > evidence',
      'You are at: workloads > data/ledger-statefulset',
      'You are at: workloads',
    ]);
  });

  test('shows the verdict of failover explain', () => {
    const explained = run(['failover', 'explain', 'statefulset/ledger', '--state', 'examples/shop']).stdout;
    const { stdout } = dashboard(':workloads\n/ledger\n1\n');
    const verdict = /^If frankfurt fails: .*$/m.exec(explained)![0];
    expect(stdout.replaceAll('\n', ' ')).toContain(verdict.slice(0, 60));
  });

  test('prints the object of a line with y, without secrets', () => {
    expect(dashboard('y 1\n').stdout).toContain('kind: Cluster\nmetadata:\n  name: oregon');
  });

  test('prints the equivalent command for each page, with the same state', () => {
    expect(dashboard(':evictions\n', '-n', 'data').stdout).toContain(
      'Command: kubectl karmada-failover eviction inspect -n data --state examples/shop',
    );
  });

  test.each([
    ['99', 'There is no line 99.'],
    [':nowhere', 'There is no view "nowhere"; ? lists them.'],
    ['m', 'No more lines.'],
    ['what?', 'Type a line, then Enter:'],
    ['/no such thing', 'None of 5 clusters fits.'],
  ])('replies to %j', (typed, answer) => {
    expect(dashboard(`${typed}\n`)).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) });
  });

  test('fails for an unreadable state as other commands do', () => {
    expect(run(['dashboard', '--plain', '--state', 'nowhere.json'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('nowhere.json'),
    });
  });
});

test('dashboard --plain lists the changes of a recording, and explains one instant as failover explain does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const file = join(folder, 'incident.rec');
  try {
    await writeRecordedFile(readRecording('test/recordings/data/incidents/0002'), file);
    const typed = (...lines: string[]) =>
      run(['dashboard', '--plain', '--state', file], { stdin: lines.join('\n') });
    const steps = typed(':recording', '/evicted from member3', '1');
    expect({ code: steps.code, stderr: steps.stderr }).toEqual({ code: 0, stderr: '' });
    const [, moment] = /You are at: recording > \S+ at (\S+)/.exec(steps.stdout)!;
    expect(steps.stdout).toContain(`--at ${moment!} --state ${file}`);
    const [, target] = /failover explain (\S+)/.exec(steps.stdout)!;
    const { stdout } = run(['failover', 'explain', target!, '--state', file, '--at', moment!]);
    const verdict = /^If \S+ fails: .*$/m.exec(stdout)![0];
    expect(steps.stdout.replaceAll('\n', ' ')).toContain(verdict.slice(0, 60));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('dashboard --controller-log', () => {
  const event = {
    kind: 'ControllerEvent',
    schemaVersion: 'v1',
    time: '2026-09-01T08:00:05Z',
    type: 'evicted',
    controller: 'binding-eviction',
    written: false,
    cluster: 'frankfurt',
    object: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart\u001b[2J' },
    evidence: [{ rule: 'no toleration for the taint', field: 'spec.placement' }],
  };
  const replay = (text: string, ...typed: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    try {
      const file = join(folder, 'run.jsonl');
      writeFileSync(file, text);
      return dashboard(typed.join('\n'), '--controller-log', file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('shows the decisions of the controllers with their evidence, and the limits of the log', () => {
    const { code, stdout, stderr } = replay(`${JSON.stringify(event)}\n`, '2', 'b', '1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('You are at: decisions\n2 steps');
    expect(stdout).toContain('would evict shop/deployment/cart^[[2J from frankfurt');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/Evidence\n+ *no toleration for the taint \[spec\.placement\]/);
    expect(stdout).toContain(
      'Dry run, nothing was written: each decision assumes that no earlier one took effect.',
    );
  });

  test('reports an unreadable line with its number', () => {
    const { code, stdout, stderr } = replay(`${JSON.stringify(event)}\nnonsense\n\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*run\.jsonl:2: is not a JSON object/);
  });

  test('refuses - because stdin provides the keys', () => {
    expect(dashboard('', '--controller-log', '-')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--controller-log -'),
    });
  });
});

test('dashboard leaves the terminal unchanged if its screen cannot open', () => {
  const env = { ...preloading(join(import.meta.dirname, 'asTerminal.cjs')), TERM: 'dumb' };
  expect(run(['dashboard', '--state', 'examples/shop'], { env })).toMatchObject({ code: 2, stdout: '' });
});

describe('failover simulate --interactive', () => {
  const simulate = (...more: string[]) =>
    run(['failover', 'simulate', '--interactive', '--state', 'examples/shop', ...more]);

  test.each([
    [[], 'needs a terminal for its keys and its screen; leave it out'],
    [
      ['--fail', 'frankfurt@5m', '--until', '5m'],
      'needs a terminal for its keys and its screen; leave it out',
    ],
    [['--save-state', 'end.json'], 'leave --save-state out'],
    [['--apply', '-'], '--apply -: --interactive takes keys from stdin; name a file'],
    [['-o', 'json'], 'leave --output out'],
  ])('with %j is refused: %s', (more, message) => {
    expect(simulate(...more)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
