import { flagNames } from '../../../src/cli/flagNames.ts';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlanFile } from '../../../src/state/plan/planFile.ts';
import { writePlanFile } from '../../../src/state/plan/planText.ts';
import { planDocument } from '../../../src/views/drain/planAnswer.ts';
import { jsonText } from '../../../src/views/forms/jsonText.ts';
import { handmadePlan } from '../../views/drain/handmadePlan.ts';

const folder = mkdtempSync(join(tmpdir(), 'plan-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'plan.json');
const toStdout = () => Promise.reject(new Error('this is no stdout'));

const basis = {
  clusters: [{ object: { kind: 'Cluster', name: 'frankfurt' }, fields: { 'spec.region': '"eu"' } }],
  bindings: [
    {
      object: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
      uid: 'u',
      resourceVersion: '7',
      fields: { 'spec.clusters': '[{"name":"frankfurt","replicas":3}]' },
    },
  ],
};
const assumptions = [{ name: 'Failover', value: false, source: 'default of v1.18', assumed: true }];
const document = planDocument(handmadePlan, basis, assumptions, flagNames);

test('a saved plan is read as it was', async () => {
  await writePlanFile(path, jsonText(document), toStdout);
  expect(await readPlanFile(path)).toEqual({ plan: handmadePlan, basis, assumptions });
  expect(readdirSync(folder)).toEqual(['plan.json']);
});

test('a plan saved before plans said who follows whom is read', async () => {
  const workloads = document.workloads.map(({ requiredBy: _, ...one }) => one);
  writeFileSync(path, JSON.stringify({ ...document, workloads }));
  const { plan } = await readPlanFile(path);
  expect(plan.workloads).toHaveLength(handmadePlan.workloads.length);
  expect(plan.workloads.filter(({ requiredBy }) => requiredBy !== undefined)).toEqual([]);
});

test('may begin with a byte order mark, as some editors write it', async () => {
  writeFileSync(path, `\ufeff${JSON.stringify(document)}`);
  expect((await readPlanFile(path)).plan.workloads).toHaveLength(handmadePlan.workloads.length);
});

describe('is refused in one line that names the file:', () => {
  const reading = async (text: string) => {
    writeFileSync(path, text);
    return readPlanFile(path).catch((error: Error) =>
      error.message.replace(path, 'FILE').replace(/(?<=FILE):1:\d+/, ':1:COLUMN'),
    );
  };
  const changed = (change: object) => reading(JSON.stringify({ ...document, ...change }));
  const again = '; save one with a dry run of drain';

  test('what is not there', async () => {
    await expect(readPlanFile(join(folder, 'none'))).rejects.toThrow(
      /plan .*none: no such file or directory; check the path$/,
    );
  });
  test('a file that is no JSON', async () => {
    expect(await reading('{')).toMatch(/^plan FILE:1:COLUMN: is not JSON: the text ends too early/);
    expect(await reading('x'.repeat(100_000))).toBe(
      `plan FILE:1:COLUMN: is not JSON: ${'x'.repeat(60)}… is not a JSON value${again}`,
    );
  });
  test('another document', async () => {
    expect(await changed({ kind: 'Simulation' })).toBe(`plan FILE: is not a DrainPlan${again}`);
    expect(await reading('null')).toBe(`plan FILE: is not a DrainPlan${again}`);
  });
  test('another version of it', async () => {
    expect(await changed({ schemaVersion: 'v2' })).toBe(
      `plan FILE:1:COLUMN: schemaVersion: "v2" is not read, only "v1"${again}`,
    );
    expect(await changed({ schemaVersion: undefined })).toBe(
      `plan FILE:1:COLUMN: schemaVersion: is missing${again}`,
    );
  });
  test('a name that is there twice in one object; JSON.parse takes the last', async () => {
    const text = JSON.stringify(document).replace('{', '{"kind":"Simulation",');
    expect(await reading(text)).toBe(`plan FILE:1:COLUMN: "kind" is there twice in one object${again}`);
  });
  test.each(['x', '5', '["frankfurt"]', '[{"replicas":3}]', '[{"name":"a","replicas":"3"}]', '__proto__'])(
    'a plan that stands on clusters that are none: %s',
    async (text) => {
      const [binding] = basis.bindings;
      const standsOn = { ...basis, bindings: [{ ...binding, fields: { 'spec.clusters': text } }] };
      expect(await changed({ standsOn })).toBe(
        `plan FILE:1:COLUMN: standsOn.bindings[0].fields["spec.clusters"]: ${JSON.stringify(text)} is not a list of clusters in JSON${again}`,
      );
    },
  );
  test('a plan with a part of it missing or wrong', async () => {
    expect(await changed({ standsOn: undefined })).toBe(`plan FILE:1:COLUMN: standsOn: is missing${again}`);
    const options = { ...handmadePlan.options, method: 'force' };
    expect(await changed({ options })).toBe(
      `plan FILE:1:COLUMN: options.method: "force" is not one of evict, taint${again}`,
    );
    const [first] = document.workloads;
    const { namespace: _, ...clusterScoped } = first!.workload;
    expect(await changed({ workloads: [{ ...first, workload: clusterScoped }] })).toBe(
      `plan FILE:1:COLUMN: workloads[0].workload.namespace: nothing contradicts workloads[0].namespace, ${JSON.stringify(first!.namespace)}${again}`,
    );
    expect(await changed({ workloads: [{ ...first, requiredBy: 'cart' }] })).toMatch(
      /^plan FILE:1:COLUMN: workloads\[0\]\.requiredBy: /,
    );
    const pace = { ...handmadePlan.options.pace, evictionRate: 'fast' };
    expect(await changed({ options: { ...handmadePlan.options, pace } })).toBe(
      `plan FILE:1:COLUMN: options.pace.evictionRate: "fast" is a string, expected a number${again}`,
    );
  });
});

test('a file that cannot be written is named', async () => {
  await expect(writePlanFile(join(folder, 'none', 'plan.json'), ['{}'], toStdout)).rejects.toThrow(
    /^the plan .*none\/plan\.json cannot be written: no such file or directory; check the path$/,
  );
});
