import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { actionsHere } from '../../../src/cli/dashboard/actions/actionsHere.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { linesOf } from '../../../src/terminal/screen/screenLine.ts';
import type { Action } from '../../../src/views/dashboard/actions/action.ts';
import type {
  ActionNews,
  ActionPlan,
  ActionResult,
} from '../../../src/views/dashboard/actions/actionShown.ts';
import type { Block } from '../../../src/presentation/model.ts';
import { liveServer, type LiveServer } from '../../commands/liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

let server: LiveServer;
beforeEach(async () => {
  server = await liveServer(items);
});
afterEach(() => server.close());

interface Ran {
  plans: ActionPlan[];
  /** the writes requested so far, at each plan */
  writesBefore: string[][];
  news: ActionNews[];
  result: ActionResult;
}

const textOf = (blocks: readonly Block[]) =>
  linesOf(blocks, 200)
    .map((line) => lineText(line, plainStyle))
    .join('\n');

/** Starts an action; `answer` is called with each plan. */
function run(
  action: Action,
  answer: (begun: { confirm(): void; stop(): void }, plan: number) => void,
  on: (news: ActionNews, begun: { stop(): void }) => void = () => undefined,
  stopwatch?: () => number,
): Promise<Ran> {
  const ran: Ran = { plans: [], writesBefore: [], news: [], result: { outcome: 'failed', blocks: [] } };
  return new Promise((resolve) => {
    const flags = { kubeconfig: server.kubeconfig, 'karmada-version': 'v1.18' };
    const begun = actionsHere(flags, stopwatch).begin(action, (news) => {
      ran.news.push(news);
      on(news, begun);
      if (news.type === 'plan') {
        ran.plans.push(news);
        ran.writesBefore.push(realWrites());
        answer(begun, ran.plans.length);
      }
      if (news.type === 'ended') resolve({ ...ran, result: news });
    });
  });
}

/** Writes that are not dry runs. */
const realWrites = () => server.writes.filter((one) => !one.endsWith('(dry run)'));
const yes = (begun: { confirm(): void }) => begun.confirm();
const no = (begun: { stop(): void }) => begun.stop();

const POLICY = `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: { name: disk-pressure }
spec:
  targetClusters: { clusterNames: [oregon] }
  addOnConditions: [{ conditionType: Ready, operator: In, statusValues: ['False'] }]
  removeOnConditions: [{ conditionType: Ready, operator: In, statusValues: ['True'] }]
  taints: [{ key: disk-pressure, effect: NoSchedule }]
`;

const policyName = items.find(({ kind }) => kind === 'ClusterTaintPolicy')!.metadata.name;
const ledger = { workload: 'data/statefulset/ledger', from: 'frankfurt' };
/** held on oregon, and ready on virginia */
const queue = { workload: 'data/deployment/queue', from: 'oregon' };
/** Makes tokyo a cordoned cluster. */
function cordoned(): void {
  const path = '/apis/cluster.karmada.io/v1alpha1/clusters/tokyo';
  const taints = [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }];
  server.store.patch(path, { spec: { taints } });
}

describe.each<[string, () => Action]>([
  ['drain', () => ({ name: 'drain', cluster: 'tokyo' })],
  ['cordon', () => ({ name: 'cordon', cluster: 'tokyo' })],
  [
    'uncordon',
    () => {
      cordoned();
      return { name: 'uncordon', cluster: 'tokyo' };
    },
  ],
  ['hold', () => ({ name: 'hold', ...ledger })],
  ['release', () => ({ name: 'release', ...queue })],
  ['cancel', () => ({ name: 'cancel', ...queue })],
  ['delete-policy', () => ({ name: 'delete-policy', policy: policyName })],
  [
    'apply-policies',
    () => {
      const path = join(server.directory, 'policy.yaml');
      writeFileSync(path, POLICY);
      return { name: 'apply-policies', file: path };
    },
  ],
])('%s', (_, action) => {
  test('shows the plan and the control plane first, and writes nothing without confirmation', async () => {
    const { plans, news, result } = await run(action(), no);
    expect(plans).toHaveLength(1);
    expect(plans[0]!.question).toMatch(/\?/);
    expect(textOf(plans[0]!.blocks)).not.toBe('');
    expect(news).toContainEqual({
      type: 'read',
      context: 'karmada',
      server: expect.stringMatching(/^http:\/\/127/),
      now: expect.any(Number),
    });
    expect(result.outcome).toBe('nothing');
    expect(realWrites()).toEqual([]);
  });

  test('writes only after confirmation', async () => {
    const { writesBefore, news } = await run(action(), yes, (one, begun) => {
      // no Karmada moves anything here: a drain continues forever
      if (one.type === 'drain' && realWrites().length > 0) begun.stop();
    });
    expect(writesBefore).toEqual([[]]);
    expect(news.map(({ type }) => type)).toContain('begun');
    expect(realWrites()).not.toEqual([]);
  });
});

test('a drain that blocks workloads is refused without asking, with the command that accepts it', async () => {
  const { plans, result } = await run({ name: 'drain', cluster: 'virginia' }, yes);
  expect(plans).toEqual([]);
  expect(result.outcome).toBe('refused');
  expect(result.next).toEqual([
    ['To accept that', ['drain', 'virginia', expect.stringMatching(/^--allow-/)]],
  ]);
  expect(realWrites()).toEqual([]);
});

test('a drain asks for a second confirmation if the state has changed since the plan', async () => {
  const path = '/apis/cluster.karmada.io/v1alpha1/clusters/dublin';
  const { plans, writesBefore, result } = await run({ name: 'drain', cluster: 'tokyo' }, (begun, plan) => {
    if (plan === 2) return begun.stop();
    server.store.patch(path, { metadata: { labels: { changed: 'meanwhile' } } });
    begun.confirm();
  });
  expect(plans).toHaveLength(2);
  expect(plans[1]!.changes).toEqual([expect.stringMatching(/^Cluster dublin: metadata\.labels /)]);
  expect(writesBefore[1]).toEqual([]);
  expect(result.outcome).toBe('nothing');
});

test('a stopped drain ends after the current write, with the commands to resume and to cancel', async () => {
  const { result, news } = await run({ name: 'drain', cluster: 'oregon' }, yes, (one, begun) => {
    if (one.type === 'drain' && realWrites().length > 1) begun.stop();
  });
  expect(result.outcome).toBe('not-finished');
  expect(result.next).toEqual([
    ['To resume', ['drain', 'oregon']],
    ['To go back', ['drain', 'oregon', '--cancel']],
  ]);
  expect(news).toContainEqual(expect.objectContaining({ type: 'said' }));

  const { result: back, plans } = await run({ name: 'take-back', clusters: ['oregon'] }, yes);
  expect(plans[0]!.question).toBe('Cancel the drain of oregon?');
  expect(back.outcome).toBe('done');
  const { result: again } = await run({ name: 'take-back', clusters: ['oregon'] }, yes);
  expect(again.outcome).toBe('nothing');
});

test('a stopped policy change is not finished, and has the command to resume', async () => {
  const path = join(server.directory, 'policy.yaml');
  writeFileSync(path, POLICY);
  const { result } = await run({ name: 'apply-policies', file: path }, yes, (one, begun) => {
    if (one.type === 'begun') begun.stop();
  });
  expect(result.outcome).toBe('not-finished');
  expect(result.next).toEqual([['To resume', ['taint-policy', 'apply', '-f', path]]]);
  expect(realWrites()).toEqual([]);
});

test('uncordon removes the cordon taint, and release removes suppressDeletion', async () => {
  cordoned();
  const { plans, result } = await run({ name: 'uncordon', cluster: 'tokyo' }, yes);
  expect(plans[0]!.question).toBe('Uncordon tokyo?');
  expect(textOf(plans[0]!.blocks)).toContain('tokyo uncordoned (dry run)');
  expect(textOf(result.blocks)).toBe('cluster.cluster.karmada.io/tokyo uncordoned');
  const tokyo = server.store.get('/apis/cluster.karmada.io/v1alpha1/clusters/tokyo');
  expect(tokyo).toMatchObject({ spec: { taints: [] } });

  const { plans: asked, result: released } = await run({ name: 'release', ...queue }, yes);
  expect(asked[0]!.question).toBe('Release the eviction of data/deployment/queue from oregon?');
  expect(released.outcome).toBe('done');
  const binding = server.store.get(
    '/apis/work.karmada.io/v1alpha2/namespaces/data/resourcebindings/queue-deployment',
  );
  // Karmada now ends it, because it is no longer held
  expect(binding).toMatchObject({ spec: { gracefulEvictionTasks: [{ fromCluster: 'oregon' }] } });
  expect(binding).not.toHaveProperty('spec.gracefulEvictionTasks.0.suppressDeletion');
});

describe('confirmation of a policy plan shown for more than 30 seconds', () => {
  const deletion: Action = { name: 'delete-policy', policy: policyName };
  /** Confirms the first plan this many milliseconds after it was shown, and after the given event. */
  const late = (milliseconds: number, meanwhile: () => void = () => undefined) => {
    let now = 0;
    return run(
      deletion,
      (begun, plan) => {
        if (plan === 1) {
          now += milliseconds;
          meanwhile();
        }
        begun.confirm();
      },
      undefined,
      () => now,
    );
  };
  /** Removes the taints that the policy would leave behind. */
  const takeTaints = () => {
    const path = '/apis/cluster.karmada.io/v1alpha1/clusters/frankfurt';
    server.store.patch(path, { spec: { taints: [] } });
  };
  const isThere = () =>
    server.store
      .all()
      .some(({ kind, metadata }) => kind === 'ClusterTaintPolicy' && metadata.name === policyName);

  test('is sufficient if a second plan is the same', async () => {
    const { plans, result } = await late(30_001);
    expect(plans).toHaveLength(1);
    expect(result.outcome).toBe('done');
    expect(isThere()).toBe(false);
  });

  test('is sufficient if only times differ in a second plan', async () => {
    server.close();
    let now = Date.parse('2026-09-01T09:32:00Z');
    server = await liveServer(items, { clock: () => now });
    const { plans, result } = await late(30_001, () => (now += 37_000));
    expect(plans).toHaveLength(1);
    expect(result.outcome).toBe('done');
  });

  test('is requested again before any write if a second plan differs', async () => {
    const { plans, writesBefore, result } = await late(30_001, takeTaints);
    expect(plans.map(({ changes }) => changes)).toEqual([[], ['Its effect has changed.']]);
    expect(writesBefore).toEqual([[], []]);
    expect(result.outcome).toBe('done');
    expect(isThere()).toBe(false);
  });

  test('needs no second plan within 30 seconds', async () => {
    const { plans, result } = await late(30_000, takeTaints);
    expect(plans).toHaveLength(1);
    expect(result.outcome).toBe('done');
  });
});

test('an unchanged object is reported without asking', async () => {
  const { result: cordoned } = await run({ name: 'cordon', cluster: 'tokyo' }, yes);
  expect(textOf(cordoned.blocks)).toBe('cluster.cluster.karmada.io/tokyo cordoned');
  const { plans, result } = await run({ name: 'cordon', cluster: 'tokyo' }, yes);
  expect(plans).toEqual([]);
  expect(result.outcome).toBe('nothing');
  expect(textOf(result.blocks)).toBe('cluster.cluster.karmada.io/tokyo already cordoned');
});

test('cancel is refused if the old copy may not be running, with the flag that accepts it', async () => {
  const { plans, result } = await run(
    { name: 'cancel', workload: 'shop/deployment/checkout', from: 'frankfurt' },
    yes,
  );
  expect(plans).toEqual([]);
  expect(result.outcome).toBe('refused');
  expect(textOf(result.blocks).replaceAll(/\s+/g, ' ')).toContain('--allow-loss accepts that');
  expect(result.next).toEqual([
    [
      'To accept that',
      ['eviction', 'cancel', 'shop/deployment/checkout', '--from', 'frankfurt', '--allow-loss'],
    ],
  ]);
  expect(realWrites()).toEqual([]);
});

test('an unknown cluster is an error', async () => {
  for (const name of ['drain', 'cordon'] as const) {
    const { result } = await run({ name, cluster: 'nowhere' }, yes);
    expect(result.outcome).toBe('failed');
    expect(textOf(result.blocks)).toContain('nowhere');
  }
});

test('an error of the API server is shown', async () => {
  server.close();
  server = await liveServer(items, { readOnly: ['clusters.cluster.karmada.io'] });
  const { result } = await run({ name: 'cordon', cluster: 'tokyo' }, yes);
  expect(result.outcome).toBe('failed');
  expect(textOf(result.blocks)).toContain('forbidden');
});
