import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { median } from '../recordings/replay.ts';
import { binary } from './controlPlane/binaries.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { controllerProcesses, OFF, SAID, type ControllerProcesses } from './controllerProcess.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings, heldAgainstSimulation } from './heldAgainstSimulation.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, namespace, policyFor, taintWhileReadyIs } from './workloads.ts';

const SETTINGS = [
  '--feature-gates=Failover=true,StatefulFailoverInjection=true',
  '--enable-no-execute-taint-eviction=true',
  '--graceful-eviction-timeout=1m',
  '--bind-address=0',
];
const anywhere = { clusterNames: ['member1', 'member2', 'member3'] };
const names = ['api', 'cart', 'mail', 'orders', 'search', 'web'];
const workloads = names.map((name) => deployment('shop', name, 2));
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
} satisfies KubernetesObject;

let bed: Bed;
let controllers: ControllerProcesses;

beforeAll(async () => {
  const controllerManager = { ...defaultOptions.controllerManager, ...OFF };
  bed = await up({ ...defaultOptions, controllerManager });
  controllers = controllerProcesses(bed.kubeconfig, SETTINGS);
  await createAll(bed.api(), [
    namespace('shop'),
    taintWhileReadyIs('not-ready', 'False', 'e2e.karmada-failover/not-ready'),
    ...[...workloads, settings].flatMap((object) => [
      object,
      policyFor(object, { clusterAffinity: anywhere }),
    ]),
  ]);
  await steadyBindings(bed, names.length + 1);
});

afterEach(async () => {
  await controllers.stop();
  bed.check(bed.file.processes.map(({ name }) => name).filter((name) => name !== 'member1-apiserver'));
});

afterAll(() => bed?.down());

describe('failover controllers that replace Karmada’s own', () => {
  test('are refused if Karmada’s own controllers are running, or their state is unknown', async () => {
    const said = await endsWith(bed, 1, 'controller', 'run', ...SETTINGS, '--assume=Failover=true');
    expect(said.stderr).toMatch(/graceful-eviction: Karmada's own controller does this already/);
    const unsaid = await endsWith(bed, 1, 'controller', 'run', ...SETTINGS);
    expect(unsaid.stderr).toMatch(/there is no Lease karmada-system\/karmada-controller-manager/);
    const proposal = await endsWith(
      ...([bed, 1, 'controller', 'run', '--karmada-version=proposal', '--bind-address=0'] as const),
      ...['--feature-gates=Failover=true', ...SAID],
    );
    expect(proposal.stderr).toMatch(/would not keep spec\.matchConditions of a ClusterTaintPolicy/);
    expect(proposal.stderr).toMatch(/would not keep spec\.taints\.effect: PreferNoExecute of a Cluster/);
  });

  test('have manifests that API servers accept', async () => {
    for (const [part, context] of [
      ['karmada', 'karmada'],
      ['host', 'member2'],
    ] as const) {
      const image = part === 'host' ? ['--image=karmada-failover:e2e'] : [];
      const { stdout } = await endsWith(bed, 0, 'controller', 'manifests', '--for', part, ...image);
      const kubectl = (...args: string[]) =>
        execFileSync(binary('kubectl'), ['--kubeconfig', bed.kubeconfig, '--context', context, ...args], {
          input: stdout,
          encoding: 'utf8',
        });
      if (part === 'host') await createAll(bed.api('member2'), [namespace('karmada-system')]);
      expect(kubectl('apply', '--dry-run=server', '-f', '-')).toMatch(
        /karmada-failover-controller.*server dry run/,
      );
    }
    const designed = await endsWith(
      bed,
      0,
      'controller',
      'manifests',
      '--for',
      'karmada',
      '--karmada-version=proposal',
    );
    const answer = execFileSync(
      binary('kubectl'),
      [
        '--kubeconfig',
        bed.kubeconfig,
        '--context',
        'karmada',
        'apply',
        '--server-side',
        '--force-conflicts',
        '--dry-run=server',
        '-f',
        '-',
      ],
      { input: designed.stdout, encoding: 'utf8' },
    );
    expect(answer).toMatch(/clustertaintpolicies\.policy\.karmada\.io serverside-applied/);
  });

  test('take the same steps as Karmada’s own when a member fails; a standby becomes leader after the leader is killed', async () => {
    const first = controllers.start(...SAID);
    await first.leads();
    const second = controllers.start(...SAID);
    const { same, different, starts, durations } = await heldAgainstSimulation(bed, {
      name: 'our-controllers-evict',
      act: () => bed.kill('member1-apiserver'),
      cluster: 'member1',
      ready: 'False',
      simulated: defaultOptions.controllerManager,
    });
    expect(different).toEqual([]);
    expect(same).toHaveLength(names.length + 1);
    expect(Math.max(...starts)).toBeLessThan(2);
    expect(median(durations)).toBeLessThan(1);
    first.child.kill('SIGKILL');
    await second.leads();
    const { items } = await bed.api().list('/api/v1/events');
    const reported = (items as unknown as { reason: string; source?: { component?: string } }[]).map(
      ({ reason, source }) => `${reason} ${source?.component}`,
    );
    expect(reported).toContain('TaintClusterSucceed cluster-taint-policy-controller');
    expect(reported).toContain(
      'EvictWorkloadFromClusterSucceed resource-binding-graceful-eviction-controller',
    );
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  test('take the same steps when the member recovers, just after a change of leader', async () => {
    const first = controllers.start(...SAID);
    await first.leads();
    first.child.kill('SIGKILL');
    const second = controllers.start(...SAID);
    const { same, different } = await heldAgainstSimulation(bed, {
      name: 'our-controllers-recover',
      act: () => bed.restart('member1-apiserver'),
      cluster: 'member1',
      ready: 'True',
      simulated: defaultOptions.controllerManager,
    });
    expect(second.log()).toContain('"self":true');
    expect(different).toEqual([]);
    expect(same).toHaveLength(names.length + 1);
  });

  test('take the same steps if leaders are killed meanwhile', async () => {
    await steadyBindings(bed, names.length + 1);
    const first = controllers.start(...SAID);
    await first.leads();
    const second = controllers.start(...SAID);
    const evicted = (count: number) =>
      eventually(
        `${count} evictions`,
        async () =>
          (await bindings(bed)).filter(
            ({ spec }) =>
              spec.gracefulEvictionTasks?.length || spec.clusters?.every(({ name }) => name !== 'member1'),
          ).length >= count,
        { within: 240_000, every: 50 },
      );
    const kills = async () => {
      await evicted(1);
      first.child.kill('SIGKILL');
      await second.leads();
      const third = controllers.start(...SAID);
      await evicted(names.length + 1);
      second.child.kill('SIGKILL');
      await third.leads();
    };
    let killed: Promise<void> | undefined;
    const { same, different } = await heldAgainstSimulation(bed, {
      name: 'our-controllers-killed',
      act() {
        killed = kills();
        return bed.kill('member1-apiserver');
      },
      cluster: 'member1',
      ready: 'False',
      simulated: defaultOptions.controllerManager,
    });
    await killed;
    expect(different).toEqual([]);
    expect(same).toHaveLength(names.length + 1);
  });
});
