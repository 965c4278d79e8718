import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';
import { median, placementText } from '../recordings/replay.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { breaches } from '../commands/schema.ts';
import { dashboardScreens, keptScreens, type Screens } from './dashboardScreens.ts';
import { bindings, heldAgainstSimulation, incidentFolder } from './heldAgainstSimulation.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import {
  dashboardInTheMiddle,
  documentOf,
  firstEvictions,
  printed,
  startRecorder,
} from './recordedIncident.ts';
import { watching } from './watching.ts';
import { createAll, deployment, namespace, policyFor, taintWhileReadyIs } from './workloads.ts';
import { turnsLostByChance } from './turns.ts';
import { byCapacity, divided } from './placements.ts';

const anywhere = { clusterNames: ['member1', 'member2', 'member3', 'member4'] };
const web = deployment('shop', 'web', 2);
const api = deployment('shop', 'api', 6);
const search = deployment('shop', 'search', 9);
const payments = deployment('shop', 'payments', 3);
const pinned = deployment('shop', 'pinned', 2);
const stuck = deployment('shop', 'stuck', 1, 'member3=never');
const ledger = deployment('shop', 'ledger', 2);
const archive = deployment('shop', 'archive', 1);
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
} satisfies KubernetesObject;

const tolerating = (tolerationSeconds?: number) => ({
  clusterTolerations: [
    {
      key: 'e2e.karmada-failover/not-ready',
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    } as const,
  ],
});

const objects = [
  namespace('shop'),
  taintWhileReadyIs('not-ready', 'False', 'e2e.karmada-failover/not-ready'),
  taintWhileReadyIs('unreachable', 'Unknown', 'e2e.karmada-failover/unreachable'),
  ...[web, api, search, payments, pinned, stuck, ledger, archive, settings],
  policyFor(web, { clusterAffinity: { clusterNames: ['member1', 'member2', 'member4'] } }),
  policyFor(api, {
    replicaScheduling: {
      ...divided,
      replicaDivisionPreference: 'Weighted',
      weightPreference: {
        staticWeightList: [
          { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
          { targetCluster: { clusterNames: ['member3'] }, weight: 2 },
        ],
      },
    },
  }),
  policyFor(search, {
    clusterAffinity: anywhere,
    replicaScheduling: byCapacity,
  }),
  policyFor(payments, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member2'] },
    ],
  }),
  policyFor(pinned, { clusterAffinity: { clusterNames: ['member1'] } }),
  policyFor(stuck, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member3'] },
    ],
  }),
  policyFor(ledger, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member4'] },
    ],
    ...tolerating(20),
  }),
  policyFor(archive, { clusterAffinity: { clusterNames: ['member1', 'member2'] }, ...tolerating() }),
  policyFor(settings, { clusterAffinity: anywhere }),
];
const recordedFile = () => join(bed.file.directory, 'incident.rec');
const moving = ['api', 'ledger', 'payments', 'pinned', 'search', 'settings', 'stuck', 'web'];
const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'stuck', cluster: 'member3' }];

let bed: Bed;

beforeAll(async () => {
  bed = await up(defaultOptions);
  await createAll(bed.api(), objects);
  await steadyBindings(bed, 9);
});

afterEach(() => {
  const killed = ['member1-apiserver', 'member4-agent'];
  bed.check(bed.file.processes.map(({ name }) => name).filter((name) => !killed.includes(name)));
});

afterAll(() => bed?.down());

describe('every binding takes its simulated steps, at about the same time, when', () => {
  test('the API server of a Push member dies; a watch shows its failure and its evictions', async () => {
    const lines = watching(bed, 'failover', 'status', 'member1', '-o', 'json');
    await eventually('the watch', () => Promise.resolve(lines.lines().length > 0));
    const recorder = await startRecorder(bed, recordedFile());
    let dashboard: Promise<string> | undefined;
    let screens: Promise<Screens> | undefined;
    const { same, different, starts, durations } = await heldAgainstSimulation(bed, {
      name: 'push-member-dies',
      act() {
        dashboard = dashboardInTheMiddle(bed, ':evictions');
        screens = screensInTheMiddle();
        // it is awaited when the incident is over
        screens.catch(() => undefined);
        return bed.kill('member1-apiserver');
      },
      cluster: 'member1',
      ready: 'False',
      neverReady,
    }).finally(() => Promise.all([lines.stop(), recorder.kill()]));
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(moving);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
    expect(median(durations)).toBeLessThan(1);

    const reported = lines.lines().flatMap((line) => (JSON.parse(line) as Reported).cluster ?? []);
    expect(reported[0]).toMatchObject({ ready: { status: 'True' }, workloads: 9, evicting: 0, taints: [] });
    const evicting = reported.map((one) => one.evicting);
    expect(Math.max(...evicting)).toBeGreaterThan(1);
    const last = reported.at(-1)!;
    expect(last).toMatchObject({ ready: { status: 'False' } });
    expect(last.taints.map(({ taint }) => taint)).toContain('e2e.karmada-failover/not-ready:NoExecute');
    expect(last.workloads).toBeLessThan(9);

    // and the dashboard named the cluster and evictions from it
    const pages = (await dashboard)!;
    expect(pages).toMatch(
      /member1; ready False;.* e2e.karmada-failover\/not-ready:NoExecute policy not-ready/,
    );
    expect(pages).toMatch(/shop\/\w+\/\w+; from member1; /);

    // and on terminals it matched the stored screens
    const seen = (await screens)!;
    expect(seen).toEqual(keptScreens(seen));
  });

  describe('given a recording of this failure by a killed recorder', () => {
    test('timeline reports each eviction at its observed time, and the controller that added the taint', async () => {
      const reported = await documentOf<Timeline>(bed, 'timeline', '--state', recordedFile());
      expect(breaches('timeline', reported)).toBe('');
      expect(reported.doubts.map(({ text }) => text)).toEqual(['The recording is truncated here.']);
      const watch = readFileSync(join(incidentFolder(bed, 'push-member-dies'), 'watch.jsonl'), 'utf8');
      const seen = firstEvictions(watch, 'member1');
      expect(reported.evictions.map(({ workload: { name } }) => name).sort()).toEqual(moving);
      for (const {
        workload: { kind, namespace, name },
        from,
        evicted,
      } of reported.evictions) {
        expect(from).toBe('member1');
        const time = seen.get(`${namespace}/${name}-${kind.toLowerCase()}`)!;
        expect(Math.abs(Date.parse(evicted) - time)).toBeLessThan(2000);
      }
      const tainted = reported.events.filter(
        ({ type, cluster }) => type === 'TaintAdded' && cluster === 'member1',
      );
      expect(tainted.map(({ taint, controller }) => [taint!.key, controller])).toEqual(
        expect.arrayContaining([
          ['e2e.karmada-failover/not-ready', 'cluster-taint-policy-controller'],
          ['cluster.karmada.io/not-ready', 'cluster-controller'],
        ]),
      );
    });

    test('replay check and a simulation from its start agree with the recording', async () => {
      const { workloads, start } = await documentOf<Checked>(bed, 'replay', 'check', recordedFile());
      expect(workloads.map(({ workload: { name } }) => name).sort()).toEqual(moving);
      expect(workloads.filter(({ verdict }) => verdict !== 'agree' && verdict !== 'race')).toEqual([]);
      const before = new Date(Date.parse(start) + 1000).toISOString();
      const simulated = await documentOf<Simulated>(
        ...([bed, 'failover', 'simulate', '--fail', 'member1', '--state', recordedFile()] as const),
        ...['--at', before],
      );
      for (const {
        workload: { name },
        recorded,
      } of workloads) {
        const { after, certainty } = simulated.workloads.find((one) => one.name === name)!;
        if (certainty === 'certain')
          expect(`${name} ${recorded.at(-1)!.placement}`).toBe(`${name} ${placementText(after, [])}`);
      }
    });

    test('report writes an HTML page, and Karmada’s Events agree with it', async () => {
      const page = join(bed.file.directory, 'incident.html');
      const stdout = await printed(bed, 'report', recordedFile(), '--out', page);
      expect(stdout).toContain('incident.html: What happened: ');
      expect(stdout).toContain(`${moving.length} evictions of ${moving.length} workloads from member1`);
      const live = await documentOf<Timeline>(bed, 'timeline', 'member1');
      expect(
        live.evictions
          .filter(({ ended }) => ended)
          .map(({ workload: { name } }) => name)
          .sort(),
      ).toEqual(moving);
      const taint = live.events.find((one) => one.taint?.key === 'e2e.karmada-failover/not-ready')!;
      expect(taint.controller).toBe('cluster-taint-policy-controller');
    });
  });

  test('the member recovers', async () => {
    const { same, different, starts } = await heldAgainstSimulation(bed, {
      name: 'push-member-returns',
      act: () => bed.restart('member1-apiserver'),
      cluster: 'member1',
      ready: 'True',
      neverReady,
    });
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(['pinned', 'settings', 'web']);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
  });

  test('the agent of a Pull member dies', async () => {
    const { same, different, starts, durations } = await heldAgainstSimulation(bed, {
      name: 'pull-member-dies',
      act: () => bed.kill('member4-agent'),
      cluster: 'member4',
      ready: 'Unknown',
      neverReady,
    });
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(['ledger', 'search', 'settings', 'web']);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
    expect(median(durations)).toBeLessThan(1);
  });
});

interface Timeline {
  doubts: { text: string }[];
  events: { type: string; cluster?: string; taint?: { key: string }; controller: string }[];
  evictions: {
    workload: { kind: string; namespace: string; name: string };
    from: string;
    evicted: string;
    ended?: string;
  }[];
}

interface Checked {
  start: string;
  workloads: { workload: { name: string }; verdict: string; recorded: { placement: string }[] }[];
}

interface Simulated {
  workloads: { name: string; after: TargetCluster[]; certainty: string }[];
}

interface Reported {
  cluster: {
    ready: { status: string };
    workloads: number;
    evicting: number;
    taints: { taint: string }[];
  } | null;
}

/** "web" of "shop/web-deployment". */
function workload(binding: string): string {
  return binding.replace(/^shop\/(.*)-\w+$/, '$1');
}

/** The dashboard while two evictions are left: one workload cannot be placed, one does not become ready. */
async function screensInTheMiddle(): Promise<Screens> {
  const left = ['pinned', 'stuck'];
  await eventually(
    `evictions of nothing but ${left.join(' and ')}`,
    async () => {
      const found = await bindings(bed);
      const evicting = found.filter(({ spec }) => spec.gracefulEvictionTasks?.length);
      const names = evicting.map(({ spec }) => spec.resource.name).sort();
      // it tolerates the taint for a while
      const ledger = found.find(({ spec }) => spec.resource.name === 'ledger');
      return names.join() === left.join() && ledger?.spec.clusters?.[0]?.name === 'member4';
    },
    { within: 150_000 },
  );
  return dashboardScreens(bed, {
    views: { '80x24': ['evictions', 'clusters'], '120x40': ['evictions', 'clusters'] },
    once: /2 evictions/,
  });
}
