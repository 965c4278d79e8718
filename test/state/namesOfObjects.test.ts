import { describe, expect, test } from '@jest/globals';
import { planDrain } from '../../src/analysis/drain/plan/planDrain.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import { applyMergePatch, createMergePatch } from '../../src/kubernetes/mergePatch.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { defaultMembers } from '../../src/karmada/members/memberAssumptions.ts';
import { drainOf } from '../analysis/drain/drainOf.ts';
import { smallState } from '../fuzz/mutatedState.ts';

const { configuration } = resolveConfiguration(dialectOf('v1.18.2').dialect, [], []);
const start = Date.parse('2026-09-01T09:30:00Z');
const text = JSON.stringify(smallState());

/** The answers about a failure and a drain if an object is renamed; the name is changed back in the answer. */
async function answerOf(what: string, name: string): Promise<string> {
  const { world } = await stateFromFiles(['-'], () => [Buffer.from(text.replaceAll(what, name))]).load();
  const cluster = what === 'frankfurt' ? name : 'frankfurt';
  const events = [
    { at: start, action: { type: 'fail', cluster } as const },
    { at: start + 600_000, action: { type: 'recover', cluster } as const },
  ];
  const members = defaultMembers;
  const simulation = simulate(world, { start, until: start + 900_000, members, events }, configuration);
  const options = { karmadaVersion: 'v1.18', members };
  const plan = planDrain(world, drainOf([cluster]), configuration, start, options);
  return JSON.stringify([simulation, plan], (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  ).replaceAll(name, what);
}

describe('a name of an inherited JavaScript property is valid', () => {
  // the second name of each pair has the same position in an order by names
  test.each([
    ['frankfurt', 'constructor', 'constructoq'],
    ['frankfurt', '__proto__', '__protn__'],
    ['frankfurt', 'toString', 'toStrina'],
    ['"tier"', '"constructor"', '"constructoq"'],
    ['"memory"', '"__proto__"', '"__protn__"'],
    ['"pods"', '"valueOf"', '"valueOe"'],
  ])('in place of %s: %s', async (what, name, other) => {
    expect(await answerOf(what, name)).toBe(await answerOf(what, other));
  });

  test('in merge patches', () => {
    const before = JSON.parse('{"labels": {"constructor": "a", "__proto__": {"x": 1}, "b": "c"}}') as object;
    const after = JSON.parse('{"labels": {"b": "c", "toString": "d"}}') as object;
    const patch = createMergePatch(before, after);
    expect(JSON.stringify(patch)).toBe('{"labels":{"constructor":null,"__proto__":null,"toString":"d"}}');
    expect(JSON.stringify(applyMergePatch(before, patch))).toBe(JSON.stringify(after));
    expect(JSON.stringify(applyMergePatch(after, createMergePatch(after, before)))).toBe(
      '{"labels":{"b":"c","constructor":"a","__proto__":{"x":1}}}',
    );
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test.each([
    [
      'JSON',
      '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "labels": {"__proto__": "a", "constructor": "b"}}}',
    ],
    [
      'YAML',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels:\n    __proto__: a\n    constructor: b\n',
    ],
    [
      'YAML with a merge key',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels:\n    <<: {__proto__: a, constructor: b}\n',
    ],
  ])('in labels from %s', async (_, written) => {
    const { world } = await stateFromFiles(['-'], () => [Buffer.from(written)]).load();
    const labels = world.others[0]!.metadata.labels!;
    expect(Object.entries(labels)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });
});
