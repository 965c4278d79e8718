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
const toStdout = () => Promise.reject(new Error('this is not stdout'));

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

test('a saved plan is read unchanged', async () => {
  await writePlanFile(path, jsonText(document), toStdout);
  expect(await readPlanFile(path)).toEqual({ plan: handmadePlan, basis, assumptions });
  expect(readdirSync(folder)).toEqual(['plan.json']);
});

test('a plan without requiredBy, from earlier versions, is read', async () => {
  const workloads = document.workloads.map(({ requiredBy: _, ...one }) => one);
  writeFileSync(path, JSON.stringify({ ...document, workloads }));
  const { plan } = await readPlanFile(path);
  expect(plan.workloads).toHaveLength(handmadePlan.workloads.length);
  expect(plan.workloads.filter(({ requiredBy }) => requiredBy !== undefined)).toEqual([]);
});

test('a plan may begin with a byte order mark', async () => {
  writeFileSync(path, `\ufeff${JSON.stringify(document)}`);
  expect((await readPlanFile(path)).plan.workloads).toHaveLength(handmadePlan.workloads.length);
});

describe('a plan is refused in one line with its file', () => {
  const reading = async (text: string) => {
    writeFileSync(path, text);
    return readPlanFile(path).catch((error: Error) =>
      error.message.replace(path, 'FILE').replace(/(?<=FILE):1:\d+/, ':1:COLUMN'),
    );
  };
  const changed = (change: object) => reading(JSON.stringify({ ...document, ...change }));
  const again = '; save one with a dry run of drain';

  test('if the file does not exist', async () => {
    await expect(readPlanFile(join(folder, 'none'))).rejects.toThrow(
      /plan .*none: no such file or directory; check the path$/,
    );
  });
  test('if the file is not JSON', async () => {
    expect(await reading('{')).toMatch(/^plan FILE:1:COLUMN: is not JSON: the text is truncated/);
    expect(await reading('x'.repeat(100_000))).toBe(
      `plan FILE:1:COLUMN: is not JSON: ${'x'.repeat(60)}… is not a JSON value${again}`,
    );
  });
  test('if the document has another kind', async () => {
    expect(await changed({ kind: 'Simulation' })).toBe(`plan FILE: is not a DrainPlan${again}`);
    expect(await reading('null')).toBe(`plan FILE: is not a DrainPlan${again}`);
  });
  test('if the document has another version', async () => {
    expect(await changed({ schemaVersion: 'v2' })).toBe(
      `plan FILE:1:COLUMN: schemaVersion: "v2" is not read, only "v1"${again}`,
    );
    expect(await changed({ schemaVersion: undefined })).toBe(
      `plan FILE:1:COLUMN: schemaVersion: is missing${again}`,
    );
  });
  test('if an object contains a duplicate name', async () => {
    const text = JSON.stringify(document).replace('{', '{"kind":"Simulation",');
    expect(await reading(text)).toBe(`plan FILE:1:COLUMN: "kind" is duplicated in one object${again}`);
  });
  test.each(['x', '5', '["frankfurt"]', '[{"replicas":3}]', '[{"name":"a","replicas":"3"}]', '__proto__'])(
    'if its basis has invalid clusters: %s',
    async (text) => {
      const [binding] = basis.bindings;
      const standsOn = { ...basis, bindings: [{ ...binding, fields: { 'spec.clusters': text } }] };
      expect(await changed({ standsOn })).toBe(
        `plan FILE:1:COLUMN: standsOn.bindings[0].fields["spec.clusters"]: ${JSON.stringify(text)} is not a list of clusters in JSON${again}`,
      );
    },
  );
  test('if a field is missing or invalid', async () => {
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

test('a plan that cannot be written is named in the error', async () => {
  await expect(writePlanFile(join(folder, 'none', 'plan.json'), ['{}'], toStdout)).rejects.toThrow(
    /^the plan .*none\/plan\.json cannot be written: no such file or directory; check the path$/,
  );
});
