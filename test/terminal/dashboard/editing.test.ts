import { beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { editPolicy } from '../../../src/terminal/dashboard/editing.ts';
import { firstState, type DashboardState } from '../../../src/terminal/dashboard/state.ts';
import type { Place } from '../../../src/views/dashboard/place.ts';
import { run } from '../../commands/cli.ts';
import { feedOf } from './feeds.ts';

let source: DashboardFeed;
beforeAll(async () => {
  ({ source } = await feedOf('examples/shop'));
});

const CART: Place = { view: 'workload', key: 'shop/cart-deployment' };
const HEAD =
  '# PropagationPolicy shop/cart, for a what-if. Nothing is written to the control plane.\n# Lines above the first field are ignored; save nothing, or an empty file, and nothing changes.\n';

/** Edits the policy at a place: each time the editor opens, with the next of these texts. */
async function editing(place: Place, edits: readonly ((text: string) => string)[], before = firstState()) {
  const shown: string[] = [];
  const edited = await editPolicy(place, before, source, (_name, text) => {
    shown.push(text);
    return Promise.resolve({ text: edits[shown.length - 1]!(text) });
  });
  return { shown, state: edited(before) };
}

const same = (text: string) => text;
const withoutEurope = (text: string) => text.replaceAll(/ *- (?:frankfurt|dublin)\n/g, '');
const outcomes = async ({ marks: whatIf }: DashboardState) => {
  const answer = await source.ask({ view: 'tomorrow', whatIf });
  if (answer.type !== 'outcomes') throw new Error(JSON.stringify(answer));
  return answer.outcomes.map(({ name, outcome, after }) => ({ name, outcome, after }));
};

describe('given the policy of a workload in the editor', () => {
  test('the outcome equals failover simulate --apply of the edited manifest', async () => {
    const { shown, state } = await editing(CART, [withoutEurope]);
    expect(shown[0]).toMatch(`${HEAD}#\napiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\n`);
    expect(state.note).toBe('PropagationPolicy shop/cart is edited; w shows the effect');
    const folder = mkdtempSync(join(tmpdir(), 'edited-'));
    try {
      const file = join(folder, 'cart.yaml');
      writeFileSync(file, withoutEurope(shown[0]!));
      const { stdout } = run([
        ...['failover', 'simulate', '--state', 'examples/shop', '--apply', file, '-o', 'json'],
      ]);
      const { workloads } = JSON.parse(stdout) as { workloads: Awaited<ReturnType<typeof outcomes>> };
      const changed = workloads
        .filter(({ outcome }) => outcome !== 'stays')
        .map(({ name, outcome, after }) => ({ name, outcome, after }));
      expect(changed.map(({ name }) => name)).toContain('cart');
      expect(await outcomes(state)).toEqual(expect.arrayContaining(changed));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the command passes the edit as a patch on stdin', async () => {
    const { state } = await editing(CART, [(text) => text.replace('labels:\n', 'labels:\n    a: b\n')]);
    const [edit] = state.marks.edits;
    expect(edit?.target).toEqual({ kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' });
    const { code, stdout } = run(['failover', 'simulate', '--apply', '-', '--state', 'examples/shop'], {
      stdin: JSON.stringify([edit]),
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^PropagationPolicy shop\/cart is patched: /),
    });
  });

  test('the next edit continues from the previous one, and restoring the original removes the edit', async () => {
    const first = await editing(CART, [withoutEurope]);
    const second = await editing(CART, [() => first.shown[0]!], first.state);
    expect(second.shown[0]).not.toContain('- dublin');
    expect(second.state.marks.edits).toEqual([]);
    expect(second.state.note).toBe('PropagationPolicy shop/cart is unchanged.');
  });

  test.each([
    ['an unchanged text', same, 'Nothing was changed.'],
    ['an empty text', () => '', 'Nothing was changed.'],
    ['a text of comments', () => '# a\n\n#b', 'Nothing was changed.'],
  ])('%s changes nothing', async (_what, edit, note) => {
    expect((await editing(CART, [edit])).state).toMatchObject({ note, marks: { edits: [] } });
  });

  test.each([
    ['invalid YAML', (text: string) => text.replace('kind:', 'kind: ['), /line \d+:\d+: /],
    [
      'a wrong type',
      (text: string) => text.replace(/resourceSelectors:\n(?: {4}.*\n)*/, 'resourceSelectors: 5\n'),
      /resourceSelectors/,
    ],
    [
      'a misspelt field',
      (text: string) => text.replace('spec:', 'spec:\n  placment: {}'),
      /no field spec\.placment/,
    ],
    ['another name', (text: string) => text.replace('name: cart', 'name: card'), /this is another object/],
    ['two objects', (text: string) => `${text}---\nkind: Other\n`, /keep one object here/],
    [
      'a manifest that a webhook refuses',
      (text: string) =>
        text.replace(
          / {2}placement:\n/,
          '  placement:\n    spreadConstraints:\n    - {spreadByField: cluster, maxGroups: 1, minGroups: 2}\n',
        ),
      /Karmada would refuse PropagationPolicy shop\/cart: .*maxGroups lower than minGroups/,
    ],
  ])(
    '%s is reported above the reopened text; without another change the edit is aborted',
    async (_what, edit, problem) => {
      const { shown, state } = await editing(CART, [edit, same]);
      expect(
        shown[1]!
          .slice(HEAD.length)
          .split('\n')
          .filter((line) => line.startsWith('#'))
          .join(' '),
      ).toMatch(problem);
      expect(shown[1]!.replace(/^(#.*\n)+/, '')).toBe(edit(shown[0]!).replace(/^(#.*\n)+/, ''));
      expect(state.marks.edits).toEqual([]);
      expect(state.note).toMatch(/^Aborted; nothing was changed: /);
    },
  );
});

test('a ClusterTaintPolicy can be edited, but not an object of another kind', async () => {
  const object = { kind: 'ClusterTaintPolicy', name: 'evict-when-not-ready' };
  const { shown } = await editing({ view: 'object', object }, [same]);
  expect(shown[0]).toContain('kind: ClusterTaintPolicy');
  const cluster: Place = { view: 'object', object: { kind: 'Cluster', name: 'dublin' } };
  expect((await editing(cluster, [])).state.note).toMatch(/^E edits a policy/);
});

test('a failing editor changes nothing', async () => {
  const edited = await editPolicy(CART, firstState(), source, () => Promise.resolve({ why: 'no editor' }));
  expect(edited(firstState())).toEqual({ ...firstState(), note: 'no editor' });
});
