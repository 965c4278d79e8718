import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { assumedTimeout } from '../../../src/useCases/state/assumptions.ts';
import { configurationOf } from '../../../src/useCases/state/configurationOf.ts';
import { openState, openStateToRead, readWhole } from '../../../src/useCases/state/openState.ts';
import type { OpenedScenario, StateRequest } from '../../../src/useCases/state/stateRequest.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { servingObjects, type ServingOptions } from '../../state/live/servingObjects.ts';
import { problemOf, quietPorts } from '../quietPorts.ts';

const shop: StateRequest = { source: { files: ['examples/shop'] } };
const START = Date.parse('2026-09-01T08:00:00Z');
const cart = deployment('cart', { placement: {}, clusters: [{ name: 'east', replicas: 2 }], replicas: 2 });

function live(options: ServingOptions = {}, more: object = {}) {
  const server = servingObjects([cluster('east'), cart] as unknown as KubernetesObject[], options);
  const request: StateRequest = {
    source: { connect: () => Promise.resolve({ ...server, ...more }) },
    version: 'v1.18',
  };
  return { server, request };
}

async function fromText<T>(text: string, look: (request: StateRequest) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'state-'));
  try {
    const file = join(directory, 'state.json');
    writeFileSync(file, text);
    return await look({ source: { files: [file] } });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
const listOf = (...items: object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

describe('the value of an unverified flag, proven by objects', () => {
  const byTaintManager = { fromCluster: 'west', producer: 'TaintManager', reason: 'TaintUntolerated' };
  const evicted = { ...cart, spec: { ...cart.spec, gracefulEvictionTasks: [byTaintManager] } };
  const opened = (...more: string[]) =>
    fromText(listOf(cluster('east'), evicted), (request) =>
      openState({ ...request, version: 'v1.18', assume: more }, quietPorts()),
    );

  test('applies to every command, but remains unverified', async () => {
    const { configuration, assumptions, proven } = await opened();
    expect(configuration.featureGates.Failover).toBe(true);
    expect(configuration.controllerManager['enable-no-execute-taint-eviction']).toBe(true);
    expect(assumptions.find(({ name }) => name === 'Failover')).toMatchObject({
      value: true,
      byDefault: true,
      source: 'it was true when the taint manager began the eviction in flight',
    });
    expect([...proven!.keys()]).toEqual(['Failover', 'enable-no-execute-taint-eviction']);
  });

  test('is overridden by the user', async () => {
    const { configuration, proven } = await opened('Failover=false');
    expect(configuration.featureGates.Failover).toBe(false);
    expect([...proven!.keys()]).toEqual(['enable-no-execute-taint-eviction']);
  });
});

describe('the instant of a state', () => {
  const scenario = (start: number): OpenedScenario => ({
    source: 'the scenario',
    path: 'failing.yaml',
    file: { assume: {}, members: {}, events: [], start },
  });
  const instant = async (request: StateRequest, opened?: OpenedScenario) => {
    const { now, assumptions } = await openState(request, quietPorts(), { scenario: opened });
    const [{ source, assumed }] = assumptions as [(typeof assumptions)[0]];
    return { now, source, assumed };
  };

  test('is the requested instant first', async () => {
    const at = { time: START, text: 'at eight' };
    expect(await instant({ ...shop, at }, scenario(START + 1000))).toEqual({
      now: START,
      source: 'the instant',
      assumed: false,
    });
  });

  test('is the start of the scenario next', async () => {
    expect(await instant(shop, scenario(START))).toEqual({ now: START, source: 'scenario', assumed: false });
  });

  test('is the newest time in the state otherwise, which is an assumption', async () => {
    const { source, assumed } = await instant(shop);
    expect(assumed).toBe(true);
    expect(source).toMatch(/^the newest time in the state, of \w+ \S+; give the instant TIME$/);
  });

  test('causes a warning if it is before the newest time in the state', async () => {
    const warnings = async (request: StateRequest, opened?: OpenedScenario) => {
      const ports = quietPorts();
      await openState(request, ports, { scenario: opened });
      return ports.warnings;
    };
    const early = [
      expect.stringMatching(
        /^2026-09-01T08:00:00Z is used as the current time, but the newest time in the state is 2026-09-01T09:\S+Z, of \w+ \S+: earlier events .*; give that time or a later one$/,
      ),
    ];
    expect(await warnings({ ...shop, at: { time: START, text: '' } })).toEqual(early);
    expect(await warnings(shop, scenario(START))).toEqual(early);
    const { now } = await instant(shop);
    expect(await warnings({ ...shop, at: { time: now - 30_000, text: '' } })).toEqual([]);
    expect(await warnings({ ...shop, at: { time: now + 3600_000, text: '' } })).toEqual([]);
    expect(await warnings(live({ now: START + 3600_000 }).request)).toEqual([]);
  });

  test('causes a warning if it is after the clock of the reader', async () => {
    const warnings = async (request: StateRequest, time: number) => {
      const ports = quietPorts();
      await openState({ ...request, at: { time, text: '' } }, ports);
      return ports.warnings;
    };
    const future = Date.parse('2199-01-01T00:00:00Z');
    expect(await warnings(shop, future)).toEqual([
      expect.stringMatching(
        /^2199-01-01T00:00:00Z is used as the current time, but it is \S+Z by the clock of this machine: deadlines before it count as passed, .*$/,
      ),
    ]);
    const clock = START + 3600_000;
    const { request } = live({ now: clock });
    expect(await warnings(request, clock + 30_000)).toEqual([]);
    expect(await warnings(request, clock + 120_000)).toEqual([
      expect.stringMatching(
        /is used as the current time, but it is 2026-09-01T09:00:00Z by the clock of the API server/,
      ),
    ]);
    expect(await warnings(request, clock - 120_000)).toEqual([]);
  });

  test('is the clock of the API server for a live control plane', async () => {
    const now = START + 5000;
    expect(await instant(live({ now }).request)).toMatchObject({ now, assumed: false });
  });

  test('is required if the state contains no time', async () => {
    const timeless = { ...cluster('east'), metadata: { name: 'east' }, status: {} };
    await fromText(listOf(timeless), async (request) => {
      expect(await problemOf(() => openState(request, quietPorts()))).toEqual({
        code: 'no-instant',
        clusters: 1,
      });
    });
  });
});

describe('a state', () => {
  test('without objects is refused with its files', async () => {
    await fromText(listOf(), async (request) => {
      expect(await problemOf(() => openState(request, quietPorts()))).toEqual({
        code: 'empty-state',
        files: (request.source as { files: string[] }).files,
      });
    });
  });

  test('accepts a repeated assumption', async () => {
    const opened = await openState({ ...shop, assume: ['Failover=true', 'Failover=true'] }, quietPorts());
    expect(opened.configuration.featureGates.Failover).toBe(true);
    expect(opened.assumptions.find(({ name }) => name === 'Failover')).toMatchObject({
      value: true,
      source: 'the assumption',
    });
    expect(opened.assumed.gatesAndFlags).toHaveLength(2);
  });

  test.each([
    ['Failover', { where: 'the assumption' }],
    ['NoSuchGate=true', { where: 'the assumption', unknown: { typed: 'NoSuchGate' } }],
    ['Failover=false,Failover=true', { message: 'Failover=false and Failover=true contradict each other' }],
  ])('refuses the assumption %s', async (text, data) => {
    const opening = () => openState({ ...shop, assume: text.split(',') }, quietPorts());
    expect(await problemOf(opening)).toMatchObject({ code: 'assumption', ...data });
  });

  test('omits fields unknown to the version when it is only read, with a warning', async () => {
    const task = { fromCluster: 'east', producer: 'p', reason: 'r', purgeMode: 'Gracefully' };
    const evicted = { ...cart, spec: { ...cart.spec, gracefulEvictionTasks: [task] } };
    await fromText(listOf(cluster('east'), evicted), async (request) => {
      const ports = quietPorts();
      const old = { ...request, version: 'v1.10' };
      const { world } = await openStateToRead(old, ports);
      expect(world.bindings[0]!.spec.gracefulEvictionTasks![0]).not.toHaveProperty('purgeMode');
      expect(ports.warnings).toContainEqual(
        expect.stringMatching(/^v1\.10\S* does not know .*purgeMode; it is left out of ResourceBinding /),
      );
      const whole = await openState(old, quietPorts());
      expect(whole.world.bindings[0]!.spec.gracefulEvictionTasks).toEqual([task]);
    });
  });

  test('of a live control plane is read by requested kinds, and completely when needed', async () => {
    const { server, request } = live();
    const ports = quietPorts();
    const some = await openState(request, ports, { kinds: new Set(['Cluster']) });
    expect(some.world.bindings).toEqual([]);
    const before = server.requests.length;
    const whole = await readWhole(some, request, ports);
    expect(whole.world.bindings.map(({ metadata }) => metadata.name)).toEqual(['cart-deployment']);
    expect(server.requests.length).toBeGreaterThan(before);
  });

  test('closes the connection if it cannot be read', async () => {
    let closed = 0;
    const { request } = live(
      {},
      { list: () => Promise.reject(new Error('cut')), close: () => void closed++ },
    );
    await expect(openState(request, quietPorts())).rejects.toThrow('cut');
    expect(closed).toBe(1);
  });
});

describe('the configuration without a state', () => {
  test('follows the given version and assumptions', () => {
    const { configuration, karmadaVersion, warnings } = configurationOf(
      { version: 'v1.17.1', assume: ['graceful-eviction-timeout=2m'] },
      plainNames,
    );
    expect(karmadaVersion).toBe('v1.17.1');
    expect(configuration.controllerManager['graceful-eviction-timeout']).toBe(120_000);
    expect(warnings).toEqual([]);
  });

  test('warns of a version without data, and refuses an invalid assumption', async () => {
    expect(configurationOf({ version: 'v1.99.0' }, plainNames).warnings).toHaveLength(1);
    expect(await problemOf(() => configurationOf({ assume: ['nonsense'] }, plainNames))).toMatchObject({
      code: 'assumption',
    });
  });
});

test('deadlines depend on a default of graceful-eviction-timeout, unless it is known', async () => {
  const timeoutOf = async (assume: string[]) => {
    const { assumptions, configuration } = await openState({ ...live().request, assume }, quietPorts());
    return assumedTimeout(assumptions, configuration, plainNames);
  };
  expect(await timeoutOf([])).toEqual({
    missing: 'the assumption graceful-eviction-timeout=DURATION',
    warning:
      'deadlines depend on graceful-eviction-timeout=10m, an unverified default: set it with the assumption graceful-eviction-timeout=DURATION, or give the cluster that runs it',
  });
  expect(await timeoutOf(['graceful-eviction-timeout=1m'])).toBeUndefined();
});
