import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { PolicyForm } from '../../../../src/analysis/taintPolicy/conversion/forms.ts';
import { convertFiles } from '../../../../src/useCases/taintPolicy/conversion/convertFiles.ts';

async function converted(text: string, to: PolicyForm) {
  const answer = await convertFiles({ files: ['-'] }, to, [], () => [Buffer.from(text)]);
  expect(answer.invalid).toEqual([]);
  const [policy] = answer.policies;
  return {
    text: answer.texts[0]!.after,
    spec: (parse(answer.texts[0]!.after) as { spec: unknown }).spec,
    outcome: policy!.outcome,
    codes: policy!.findings.map(({ code }) => code),
  };
}

const proposed = (
  taints: string,
  conditions = '[{ conditionType: Ready, operator: In, statusValues: ["False"] }]',
) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: p
spec:
  matchConditions: ${conditions}
  taintsToAdd:
${taints}`;
const shipped = (add: string, remove: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: p
spec:
  addOnConditions: ${add}
  removeOnConditions: ${remove}
  taints: [{ key: a, effect: NoSchedule }]
`;

describe('a policy edited after a conversion and converted back', () => {
  test('restores windows and effects of the taints still listed, and adds one-second windows to new taints', async () => {
    const taints = `    - { key: a, effect: NoExecute, addOnMatchSeconds: 60 }
    - { key: b, effect: PreferNoExecute } # moves
    - { key: c, effect: NoSchedule }
`;
    const there = await converted(proposed(taints), 'shipped');
    const edited = there.text
      .replace(/ +- \{ ?key: c.*\n/, '    - { key: d, effect: NoSchedule }\n')
      .replace('name: p\n', 'name: p\n  labels: { team: a }\n');
    const back = await converted(edited, 'proposed');
    expect(back.outcome).toBe('converted');
    expect(back.spec).toMatchObject({
      taintsToAdd: [
        { key: 'a', effect: 'NoExecute', addOnMatchSeconds: 60 },
        { key: 'b', effect: 'PreferNoExecute' },
        { key: 'd', effect: 'NoSchedule', addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 },
      ],
    });
    expect(back.codes.sort()).toEqual(['one-second', 'outdated', 'restored']);
    expect(back.text).toContain('# moves');
  });

  test('restores an omitted taint at its position', async () => {
    const taints = `    - { key: a, effect: PreferNoExecute, addOnMatchSeconds: 9 }
    - { key: a, effect: NoSchedule }
`;
    const there = await converted(proposed(taints), 'shipped');
    expect(there.spec).toMatchObject({ taints: [{ key: 'a', effect: 'NoSchedule' }] });
    const back = await converted(there.text.replace('name: p', 'name: q'), 'proposed');
    expect(back.spec).toMatchObject({
      taintsToAdd: [
        { key: 'a', effect: 'PreferNoExecute', addOnMatchSeconds: 9 },
        { key: 'a', effect: 'NoSchedule' },
      ],
    });
  });

  test('matches every cluster again if it did before', async () => {
    const there = await converted(proposed('    - { key: a, effect: NoSchedule }\n', '[]'), 'shipped');
    expect(there.codes).toEqual(['empty-conditions', 'durations']);
    const back = await converted(there.text.replace('key: a', 'key: b'), 'proposed');
    expect(back.spec).toMatchObject({ matchConditions: [] });
  });

  const down = '[{ conditionType: Ready, operator: In, statusValues: ["False"] }]';
  const up = '[{ conditionType: Ready, operator: In, statusValues: ["True"] }]';

  test('restores its own removeOnConditions unless matchConditions have changed', async () => {
    const there = await converted(shipped(down, up), 'proposed');
    expect(there.codes).toContain('removal');
    const back = await converted(there.text.replace('key: a', 'key: b'), 'shipped');
    expect(back.spec).toMatchObject({ removeOnConditions: [{ operator: 'In', statusValues: ['True'] }] });
    const edited = there.text.replace(/(?<=matchConditions: .*)"False"/, '"Unknown"');
    const other = await converted(edited, 'shipped');
    expect(other.codes).toContain('outdated');
    expect(other.spec).toMatchObject({
      removeOnConditions: [{ operator: 'NotIn', statusValues: ['Unknown'] }],
    });
  });

  test('still adds no taint if it only removed taints before', async () => {
    const there = await converted(shipped('[]', up), 'proposed');
    expect(there.codes).toContain('empty-conditions');
    const back = await converted(there.text.replace('name: p', 'labels: {}\n  name: p'), 'shipped');
    expect(back.outcome).toBe('converted');
    expect(back.spec).toEqual({
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
      taints: [{ key: 'a', effect: 'NoSchedule' }],
    });
  });

  test('keeps other edits and the original text', async () => {
    const text = shipped(down, `${up} # back`);
    const there = await converted(text, 'proposed');
    const back = await converted(there.text.replace('key: a', 'key: b'), 'shipped');
    expect(back).toMatchObject({ outcome: 'restored', text: text.replace('key: a', 'key: b') });
  });
});

describe('an annotation of a conversion', () => {
  const annotated = (value: string) =>
    shipped('[]', '[]').replace(
      'name: p',
      `name: p\n  annotations: { karmada-failover/converted: '${value}' }`,
    );

  test.each(['x', '{}', '{"from":"shipped","spec":{}}', '{"from":"proposed","spec":{"taintsToAdd":1}}'])(
    'is not overwritten if it is foreign: %s',
    async (value) => {
      expect((await converted(annotated(value), 'proposed')).codes).toContain('bad-annotation');
    },
  );

  test.each([
    [[0, 5, 'evil']],
    [[-9, 1, '']],
    [[0, 1e9, '']],
    [
      [
        0,
        999,
        'apiVersion: policy.karmada.io/v1alpha1\nkind: ClusterTaintPolicy\nmetadata: {name: evil}\nspec: {}\n',
      ],
    ],
  ])('with a text for another policy, %j, restores only fields', async (edit) => {
    const value = JSON.stringify({ from: 'proposed', spec: { taintsToAdd: [] }, text: [edit].flat(0) });
    const { outcome, text } = await converted(annotated(value), 'proposed');
    expect(outcome).toBe('converted');
    expect(text).toContain('name: p');
  });
});

test('the conversion reports policies that share a taint, unless they have the same conditions', async () => {
  const text = (remove: string) =>
    `${shipped('[{ conditionType: Ready, operator: In, statusValues: ["False"] }]', remove)}---${shipped('[{ conditionType: Ready, operator: In, statusValues: ["False"] }]', '[{ conditionType: Ready, operator: NotIn, statusValues: ["False"] }]').replace('name: p', 'name: q')}`;
  const codes = async (remove: string) =>
    (await convertFiles({ files: ['-'] }, 'proposed', [], () => [Buffer.from(text(remove))])).policies.map(
      ({ findings }) => findings.some(({ code }) => code === 'shared-taint'),
    );
  expect(await codes('[{ conditionType: Net, operator: In, statusValues: ["True"] }]')).toEqual([true, true]);
  expect(await codes('[{ conditionType: Ready, operator: NotIn, statusValues: ["False"] }]')).toEqual([
    false,
    false,
  ]);
});
