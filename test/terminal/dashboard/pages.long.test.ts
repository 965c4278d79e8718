import { beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../../commands/cli.ts';
import { pageShown } from '../../../src/terminal/dashboard/state.ts';
import { placeKey } from '../../../src/views/dashboard/place.ts';
import { feedOf, type Followed } from './feeds.ts';
import { screenLines, typedKeys } from './typed.ts';

let shop: Followed;
let incident: Followed;
beforeAll(async () => {
  shop = await feedOf('examples/shop');
  incident = await feedOf('examples/incident');
});

const SIZE = { columns: 120, rows: 40 };

/** The dashboard after keys, with the answers that they required. */
async function typed(followed: Followed, keys: string, size = SIZE) {
  const { state, view, answers } = await typedKeys(followed, keys, size);
  return { lines: screenLines(state, view), state, answers };
}

const chosen = (lines: string[]) => lines.find((line) => line.startsWith('▸')) ?? '';
/** The pane: from its rule to the command. */
const paneOf = (lines: string[]) => {
  const from = lines.findIndex((line) => line.endsWith('──'));
  return from === -1 ? [] : lines.slice(from, -2);
};

describe('given the first page of an incident', () => {
  test('Tab moves through the lists of the page, and returns to the first one', async () => {
    const at = async (keys: string) => chosen((await typed(incident, keys)).lines);
    expect(await at('')).toContain('frankfurt');
    expect(await at('\t')).toContain('shop/deploy/recommendatio');
    expect(await at('\tj\t')).toMatch(/shop\/deployment\/recommendations +nowhere/);
    expect(await at('\t\t\t')).toContain('in 8m37s');
    expect(await at('\t\t\t\t')).toContain('frankfurt');
  });

  test('a list keeps its selection when another list is selected', async () => {
    const { lines } = await typed(incident, 'j\tjj\u001b[Z\t');
    expect(chosen(lines)).toContain('shop/deploy/pricing');
    const { lines: back } = await typed(incident, 'j\tjj\u001b[Z');
    expect(chosen(back)).toContain('oregon');
  });

  test('keys act on the selected list: Enter opens its item, / filters only that list', async () => {
    const { state } = await typed(incident, '\tj\r');
    expect(pageShown(state).place).toMatchObject({
      view: 'eviction',
      key: expect.stringContaining('ledger'),
    });
    const { lines } = await typed(incident, '\t/queue\r');
    expect(chosen(lines)).toContain('data/deployment/queue');
    expect(lines.filter((line) => / {2}(frankfurt|oregon|dublin) +(True|False)/.test(line))).toHaveLength(3);
  });

  test.each([
    [80, 24, 4],
    [120, 40, 8],
    [200, 60, 12],
  ])('on %s × %s a pane of %s rows shows cause, deadline and next keys', async (columns, rows, high) => {
    const { lines } = await typed(incident, '', { columns, rows });
    const pane = paneOf(lines);
    expect(pane).toHaveLength(high);
    expect(pane[0]).toMatch(/^frankfurt {2}not Ready for 1m25s/);
    expect(pane.join('\n')).toMatch(/why +ClusterNotReachable/);
    expect(pane.join('\n')).toMatch(/deadline +in 8m37s, for 5 workloads: 2 lost \(1 uncertain\)/);
    expect(pane.at(-1)).toMatch(/^next +Tab its evictions +Enter its workloads/);
  });

  test('the pane of an eviction shows its wait, its deadline, and the outcome at the deadline', async () => {
    const pane = paneOf((await typed(incident, '\tj')).lines).join('\n');
    expect(pane).toMatch(/data\/statefulset\/ledger {2}frankfurt → nowhere/);
    expect(pane).toMatch(/waits for +a cluster to move to/);
    expect(pane).toMatch(/deadline +in 8m37s, at 2026-09-01T09:40:37Z; then lost/);
  });

  test('a low screen has no pane', async () => {
    expect(paneOf((await typed(incident, '', { columns: 60, rows: 15 })).lines)).toEqual([]);
  });

  test('at 80 columns the last line contains w and :, and no truncated key', async () => {
    const { lines } = await typed(incident, '', { columns: 80, rows: 24 });
    expect(lines.at(-1)).toMatch(/w what-if {3}: view .* {3}q quit$/);
  });
});

describe('given a what-if', () => {
  test('the page begins with totals, and has columns for the present and the outcome', async () => {
    const { lines } = await typed(shop, '/frank\rw');
    expect(lines[1]).toMatch(/^\d+ replicas down; \d+ of 14 workloads change: 2 lost, 1 blocked, /);
    expect(lines[3]).toMatch(/WORKLOAD +OUTCOME +NOW +THEN +REPLICAS DOWN +WHY/);
  });
});

describe('given :audit', () => {
  test('the page shows the verdict, the cost of each contingency, and the workloads at risk, as failover audit does', async () => {
    const { stdout } = run(['failover', 'audit', '--state', 'examples/shop', '-o', 'json']);
    const audit = JSON.parse(stdout) as {
      summary: { covered: number; workloads: number };
      contingencies: { name: string; workloads: number }[];
      workloads: { worst?: { trouble: string }; workload: { name: string } }[];
    };
    const { lines, answers } = await typed(shop, ':audit\r');
    const { covered, workloads } = audit.summary;
    expect(lines[1]).toMatch(new RegExp(`^${covered} of ${workloads} workloads survive each of `));
    const answer = answers.get(placeKey({ view: 'audit' }));
    if (answer?.type !== 'audit') throw new Error(answer?.type);
    const harmed = audit.contingencies.filter((one) => one.workloads > 0).map(({ name }) => name);
    expect(answer.contingencies.map(({ name }) => name).sort()).toEqual(harmed.sort());
    const risky = audit.workloads.filter(({ worst }) => worst).map(({ workload }) => workload.name);
    expect(answer.atRisk.map(({ workload }) => workload.name)).toEqual(risky);
  });

  test('Enter on a contingency opens its what-if, Enter on a workload its explanation in that case', async () => {
    const { state } = await typed(shop, ':audit\r/^frankfurt\r\r');
    expect(pageShown(state).place).toMatchObject({
      view: 'tomorrow',
      whatIf: { failing: ['frankfurt'], taints: [], edits: [] },
    });
    const { state: other } = await typed(shop, ':audit\r\t/ledger\r\r');
    expect(pageShown(other).place).toMatchObject({
      view: 'workload',
      key: expect.stringContaining('ledger'),
      ifFails: ['frankfurt'],
    });
  });

  test('the page shows the equivalent command', async () => {
    expect((await typed(shop, ':audit\r')).lines.at(-2)).toContain('karmada-failover failover audit');
  });
});

describe('given :findings', () => {
  test('the findings equal those of doctor, in the same order', async () => {
    const { stdout } = run(['doctor', '--state', 'examples/incident', '-o', 'json']);
    const diagnosis = JSON.parse(stdout) as { findings: { check: string; message: string }[] };
    const { answers, lines } = await typed(incident, ':findings\r');
    const answer = answers.get(placeKey({ view: 'findings' }));
    if (answer?.type !== 'findings') throw new Error(answer?.type);
    const said = (all: readonly { check: string; message: string }[]) =>
      all.map(({ check, message }) => [check, message]);
    expect(said(answer.findings)).toEqual(said(diagnosis.findings));
    expect(lines[1]).toMatch(/^\d+ errors?, .* checks passed/);
  });

  test('Enter shows the evidence of a finding, and its remedy as a command', async () => {
    const { lines, state } = await typed(incident, ':findings\r/tolerates-forever\r\r');
    expect(pageShown(state).place).toMatchObject({ view: 'finding' });
    const text = lines.join('\n');
    expect(text).toContain('[tolerates-forever]');
    expect(text).toContain('every NoExecute taint is');
    expect(text).toMatch(/kubectl /);
    expect(lines.at(-2)).toContain('doctor --only tolerates-forever -o wide');
  });

  test('Tab selects the checks that could not run, which never count as passed', async () => {
    const { lines, answers } = await typed(incident, ':findings\r\t');
    const answer = answers.get(placeKey({ view: 'findings' }));
    if (answer?.type !== 'findings') throw new Error(answer?.type);
    expect(answer.unchecked.length).toBeGreaterThan(0);
    expect(chosen(lines)).toContain(answer.unchecked[0]!.why.slice(0, 20));
  });
});
