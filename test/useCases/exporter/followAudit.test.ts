import { expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { observeComponents, type ObservedComponents } from '../../../src/state/componentFlags.ts';
import { followAudit, type FollowedAudit, restAfter } from '../../../src/useCases/exporter/followAudit.ts';
import { fleet } from '../../commands/exporterRun.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { quietPorts } from '../quietPorts.ts';

const EAST = '/apis/cluster.karmada.io/v1alpha1/clusters/east-1';
const MINUTE = 60_000;

/** Components whose controller manager has this gate. */
function started(failover: boolean): ObservedComponents {
  const name = 'karmada-controller-manager';
  const args = [`--feature-gates=Failover=${failover}`, '--enable-no-execute-taint-eviction=true'];
  const image = `karmada/${name}:v1.18.2`;
  const containers = [{ name, image, command: [`/bin/${name}`], args }];
  return observeComponents([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'karmada-system', name },
      spec: { template: { spec: { containers } } },
    } as KubernetesObject,
  ]);
}

test('the exporter limits audits to a quarter of a core, unless an audit would be older than a minute', () => {
  const seconds = (took: number, cpu: number) =>
    restAfter({ took: took * 1000, cpu: cpu * 1000 }, 30_000) / 1000;
  // small audits wait for `--every`
  expect(seconds(2, 2)).toBe(30);
  // on a busy machine an audit takes long, but little CPU
  expect(seconds(60, 15)).toBe(30);
  expect(seconds(14, 14)).toBe(32);
  expect(seconds(14, 14) + 2 * 14).toBe(60);
  // 16 threads: a quarter of a core would be 394 s
  expect(seconds(6, 100)).toBe(48);
  // too long for a minute, however short the pause
  expect(seconds(50, 100)).toBe(100);
});

test('the exporter reads the flags of Karmada again after ten minutes, because an upgrade may change them', async () => {
  const server = servingObjects(fleet('east-1', 'west-1'));
  const stop = new AbortController();
  let now = 0;
  let gate = false;
  let followed!: FollowedAudit;
  const following = followAudit(
    {
      state: {
        source: {
          connect: () => Promise.resolve(server),
          connectHost: () => Promise.resolve(() => Promise.resolve(started(gate))),
        },
        version: 'v1.18',
      },
      selection: {},
      groupBy: [],
      pairs: false,
      targets: { namespaces: new Map() },
      every: 0,
      stopwatch: () => now,
      processor: () => 0,
      signal: stop.signal,
      threads: undefined,
      pause: () => new Promise((resolve) => setTimeout(resolve, 1)),
    },
    (begun) => {
      followed = begun;
      return Promise.resolve();
    },
    quietPorts(),
  );
  /** The state of failover once another audit has ended. */
  const afterChange = async (label: string) => {
    const before = followed.standing();
    server.store.patch(EAST, { metadata: { labels: { label } } }, { fieldManager: 'somebody' });
    while (followed.standing() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    return followed.standing()!.failover.state;
  };
  while (!followed?.standing()) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(followed.standing()!.failover.state).toBe('off');
  gate = true;
  expect(await afterChange('a')).toBe('off');
  now += 10 * MINUTE;
  expect(await afterChange('b')).toBe('on');
  stop.abort();
  await following;
});
