import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { flagNames } from '../../src/cli/flagNames.ts';
import { planBasis } from '../../src/analysis/drain/plan/planBasis.ts';
import { planDrift } from '../../src/analysis/drain/plan/planDrift.ts';
import { deletionBasis, deletionDrift } from '../../src/analysis/taintPolicy/deletionPlan.ts';
import type { RemovalPlan } from '../../src/analysis/taintPolicy/removalPlan.ts';
import { planParser } from '../../src/state/plan/planFile.ts';
import { planDocument } from '../../src/views/drain/planAnswer.ts';
import { drainOf } from '../analysis/drain/drainOf.ts';
import { cluster, deployment, world } from '../simulator/simulation/controlPlane.ts';
import { fleet, member, taint, taintPolicy } from '../analysis/taintPolicy/policies.ts';
import { handmadePlan, planned } from '../views/drain/handmadePlan.ts';
import { growingWorlds } from './growingWorlds.ts';
import { inProcess } from './inProcess.ts';
import { countOperations, type Operations } from './operations.ts';
import { wholeRecording } from './mutatedRecording.ts';
import type { Manifest } from './world.ts';
import { Workplace } from './workplace.ts';

const SIZE = 30;
/** Operations for a world of ten times the size, relative to the small one; quadratic growth would give a hundred. */
const MAX_TIMES = 17;

const place = new Workplace();
afterAll(() => place.end());

describe.each(growingWorlds)(
  'given ten times as many $name, a command needs at most ten times the operations:',
  ({ objects, file, words, commands, size = SIZE }) => {
    test.each(commands.map((argv) => [argv.join(' '), argv] as const))('%s', async (_, argv) => {
      const run = async (number: number) => {
        const state = place.file('growing.json', objects(number));
        const more = file ? [file.flag, place.file('more.json', file.content(number))] : [];
        more.push(...(words?.(number) ?? []));
        let stderr = '';
        let code = 0;
        const { blocks, builtIn } = await countOperations(async () => {
          ({ stderr, code } = await inProcess([...argv, ...more, '--state', state]));
        });
        return { blocks, builtIn, code, stderr };
      };
      await run(3);
      const few = await run(size);
      const more = await run(10 * size);
      expect([few.stderr.replaceAll(/^warning: .*\n/gm, ''), few.code]).toEqual(['', 0]);
      expect(timesOf(more, few)).toBeLessThan(MAX_TIMES);
    });
  },
);

describe('a drain plan that is ten times larger needs at most ten times the operations', () => {
  const leaving = (number: number) =>
    Array.from({ length: number }, (_, at) =>
      planned(`shop/Deployment/web-${at}`, 'moves', 'frankfurt:1', 'dublin:1'),
    );

  test('to parse its workloads', async () => {
    const parse = await planParser();
    const read = (number: number) => {
      const plan = { ...handmadePlan, workloads: leaving(number) };
      const text = JSON.stringify(planDocument(plan, { clusters: [], bindings: [] }, [], flagNames));
      return countOperations(() => expect(parse(text, 'plan.json').plan.workloads).toHaveLength(number));
    };
    await read(3);
    expect(timesOf(await read(300), await read(30))).toBeLessThan(MAX_TIMES);
  });

  test('to compare it with the state, given many drained clusters with a workload on each', async () => {
    const drift = (number: number) => {
      const names = Array.from({ length: number }, (_, at) => `m${at}`);
      const bindings = names.map((name, at) =>
        deployment(`web-${at}`, { placement: {}, clusters: [{ name, replicas: 1 }] }),
      );
      const state = world(
        names.map((name) => cluster(name)),
        bindings,
      );
      const basis = planBasis({ workloads: leaving(number) }, state);
      expect(basis.bindings).toHaveLength(number);
      return countOperations(() => expect(planDrift(basis, drainOf(names), state)).toEqual([]));
    };
    await drift(3);
    expect(timesOf(await drift(300), await drift(30))).toBeLessThan(MAX_TIMES);
  });
});

test('deletion plans with ten times as many policies and taints need at most ten times the operations', async () => {
  const drift = async (number: number) => {
    const keys = Array.from({ length: number }, (_, at) => `k${at}`);
    const taints = keys.map((key) => taint(`${key}:NoSchedule`, '2026-08-10T00:00:00Z'));
    const policies = taints.map((one, at) => taintPolicy(`p${at}`, { taints: [one] }));
    const world = fleet([member('alpha', { taints })], policies);
    const removal: RemovalPlan = { steps: [{ cluster: 'alpha', taints }], kept: [] };
    const plan = { basis: deletionBasis(policies, removal), withTaints: true };
    const removed = taints.map((one) => ({ cluster: 'alpha', taint: one }));
    return countOperations(() => expect(deletionDrift({ ...plan, removed }, world, removal)).toEqual([]));
  };
  await drift(3);
  expect(timesOf(await drift(300), await drift(30))).toBeLessThan(MAX_TIMES);
});

describe('ten times as much input on disk needs at most ten times the operations', () => {
  const few = 30;
  const counted = async (argv: readonly string[]) => {
    let code = 70;
    const operations = await countOperations(async () => {
      ({ code } = await inProcess(argv));
    });
    expect(code).toBe(0);
    return operations;
  };

  test('for files in a directory', async () => {
    const read = (number: number) => {
      const directory = place.path(`files-${number}`);
      mkdirSync(directory);
      for (let at = 0; at < number; at++)
        place.file(`files-${number}/${at}.json`, [cluster(`m${at}`) as unknown as Manifest]);
      return counted(['failover', 'status', '--state', directory]);
    };
    await read(3);
    expect(timesOf(await read(10 * few), await read(few))).toBeLessThan(MAX_TIMES);
  });

  test('for lines of a recording', async () => {
    const lines = wholeRecording();
    const end = lines.length - 1;
    const taints = (at: number) => [{ key: `k${at % 3}`, effect: 'NoSchedule' }];
    const of = lines.flatMap((line) => ('of' in line ? [line.of] : []))[0];
    const read = (number: number) => {
      const more = Array.from({ length: number }, (_, at) => ({
        at: new Date(Date.parse('2026-09-01T10:00:08Z') + at * 10).toISOString(),
        of,
        patch: [{ op: 'replace', path: '/spec/taints', value: taints(at) }],
      }));
      const rows = [...lines.slice(0, end - 1), ...more];
      const state = place.file('rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      return counted(['timeline', '--state', state]);
    };
    await read(3);
    expect(timesOf(await read(10 * few), await read(few))).toBeLessThan(MAX_TIMES);
  });
});

function timesOf(more: Operations, few: Operations): number {
  return Math.max(more.blocks / few.blocks, more.builtIn / few.builtIn);
}
