import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import { chosenJobs, readSettings, type GivenSetting } from '../../../src/useCases/controller/settings.ts';
import { problemOf } from '../quietPorts.ts';

const flag = (name: string, value: unknown): GivenSetting => ({ name, value, place: `--${name}` });
const inFile = (line: number, name: string, value: unknown): GivenSetting => ({
  name,
  value,
  place: `controller.yaml:${line}:1: ${name}`,
});
const read = (given: GivenSetting[], version = 'v1.18') =>
  readSettings(given, dialectOf(version).dialect, plainNames);

async function wrong(given: GivenSetting[], version?: string): Promise<string[]> {
  const problem = await problemOf(() => read(given, version));
  if (problem.code !== 'settings') throw new Error(problem.code);
  return problem.problems.map(({ place, message }) => `${place}: ${message}`);
}

describe('the list of controllers', () => {
  test.each([
    [['*'], ['cluster-taint-policy', 'taint-manager', 'graceful-eviction', 'application-failover']],
    [
      ['*', '-taint-manager'],
      ['cluster-taint-policy', 'graceful-eviction', 'application-failover'],
    ],
    [['taint-manager'], ['taint-manager']],
    // the first entry that names it decides, as in karmada-controller-manager
    [['taint-manager', '-taint-manager'], ['taint-manager']],
    [['-taint-manager', 'taint-manager'], []],
    [[], []],
  ])('%j selects %j', (list, chosen) => {
    expect(chosenJobs(list)).toEqual(chosen);
  });

  test('is comma-separated in a flag and a list in a file', () => {
    expect(read([flag('controllers', 'graceful-eviction, taint-manager')]).controllers).toEqual([
      'taint-manager',
      'graceful-eviction',
    ]);
    expect(read([inFile(1, 'controllers', ['*', '-graceful-eviction'])]).controllers).toHaveLength(3);
  });
});

describe('the controller settings', () => {
  test("default to those of the version and of Karmada's leader election", () => {
    const { controllers, configuration, leaderElection, bindAddress, values } = read([]);
    expect(controllers).toHaveLength(4);
    expect(configuration.featureGates.Failover).toBe(false);
    expect(configuration.controllerManager['resource-eviction-rate']).toBe(0.5);
    expect(leaderElection).toEqual({
      enabled: true,
      leaseDuration: 15_000,
      renewDeadline: 10_000,
      retryPeriod: 2_000,
      namespace: 'karmada-system',
      name: 'karmada-failover-controller',
    });
    expect(bindAddress).toEqual({ host: undefined, port: 10_357 });
    expect(values.map(({ name }) => name)).toContain('graceful-eviction-timeout');
    expect(values.map(({ name }) => name)).not.toContain('cluster-monitor-period');
  });

  test('in flags take precedence over those in a file, for each gate', () => {
    const { configuration, values } = read([
      inFile(1, 'resource-eviction-rate', 2),
      inFile(2, 'feature-gates', 'Failover=true'),
      inFile(3, 'feature-gates', 'StatefulFailoverInjection=true'),
      flag('resource-eviction-rate', '7'),
      flag('feature-gates', 'StatefulFailoverInjection=false'),
    ]);
    expect(configuration.controllerManager['resource-eviction-rate']).toBe(7);
    expect(configuration.featureGates).toMatchObject({ Failover: true, StatefulFailoverInjection: false });
    expect(values.find(({ name }) => name === 'resource-eviction-rate')).toMatchObject({
      value: 7,
      source: '--resource-eviction-rate',
    });
  });

  test('in a file are YAML numbers, booleans, lists and mappings', () => {
    const { configuration, leaderElection } = read([
      inFile(1, 'enable-no-execute-taint-eviction', true),
      inFile(2, 'feature-gates', { Failover: true }),
      inFile(3, 'leader-elect', false),
      inFile(4, 'graceful-eviction-timeout', '3m'),
    ]);
    expect(configuration.controllerManager).toMatchObject({
      'enable-no-execute-taint-eviction': true,
      'graceful-eviction-timeout': 180_000,
    });
    expect(configuration.featureGates.Failover).toBe(true);
    expect(leaderElection.enabled).toBe(false);
  });

  test('are validated together, and each error has its position', async () => {
    expect(
      await wrong([
        inFile(1, 'controllers', ['taint-manger']),
        inFile(2, 'resource-eviction-rate', 'fast'),
        inFile(3, 'resource-evicton-rate', 1),
        inFile(4, 'feature-gates', { Failover: 'perhaps' }),
        inFile(5, 'feature-gates', 3),
        inFile(6, 'feature-gates', { Failover: { on: true } }),
        flag('bind-address', 'nowhere'),
        flag('leader-elect', 'maybe'),
      ]),
    ).toEqual([
      'controller.yaml:3:1: resource-evicton-rate: is not a setting',
      '--leader-elect: "maybe" is not true or false',
      'controller.yaml:1:1: controllers: there is no controller "taint-manger"',
      'controller.yaml:2:1: resource-eviction-rate: "fast" is not a number, 0 or from 1.1e-10 to 3.4e+38',
      'controller.yaml:4:1: feature-gates: Failover: "perhaps" is not true or false',
      'controller.yaml:5:1: feature-gates: 3 is not a list such as Failover=true, nor a mapping of gates',
      'controller.yaml:6:1: feature-gates: Failover: "{\\"on\\":true}" is not true or false',
      '--bind-address: "nowhere" is not an address such as :10357 or 127.0.0.1:8080, nor 0 to serve nothing',
    ]);
  });

  test.each(['0', '1e-300', '1e-12', '1e12'])('accept the rate %s', (rate) => {
    const { controllerManager } = read([flag('resource-eviction-rate', rate)], 'proposal').configuration;
    expect(controllerManager['resource-eviction-rate']).toBe(Number(rate));
  });

  test.each(['Infinity', '1e999', 'NaN', '-1'])('reject the rate %s', async (rate) => {
    expect(await wrong([flag('resource-eviction-rate', rate)], 'proposal')).toEqual([
      `--resource-eviction-rate: "${rate}" is not a number from 0 to 3.4e+38`,
    ]);
  });

  test('of the proposal are rejected by releases', async () => {
    expect(await wrong([flag('evict-plugins', 'ResourceHealth')])).toEqual([
      expect.stringMatching(/^--evict-plugins: has no effect in v1\.18.*leave it out/),
    ]);
    expect(
      read([flag('evict-plugins', 'ResourceHealth')], 'proposal').configuration.controllerManager,
    ).toMatchObject({ 'evict-plugins': 'ResourceHealth' });
  });

  test('of the Lease are rejected if they leave no time for a renewal, as in client-go', async () => {
    expect(await wrong([flag('leader-elect-lease-duration', '10s')])).toEqual([
      '--leader-elect-lease-duration: the renew deadline (10s) must be shorter than the lease duration (10s)',
    ]);
    expect(await wrong([flag('leader-elect-resource-name', 'Bad name')])).toEqual([
      '--leader-elect-resource-name: "Bad name" cannot be the name of an object; give lower case letters, digits and -',
    ]);
    expect(await wrong([flag('leader-elect-resource-namespace', 'a.b')])).toHaveLength(1);
    expect(await wrong([inFile(7, 'leader-elect-retry-period', '9s')])).toEqual([
      'controller.yaml:7:1: leader-elect-retry-period: the renew deadline (10s) must be longer than 1.2 retry periods (9s each)',
    ]);
  });

  test.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['0', undefined],
  ])('accept the bind address %s', (address, expected) => {
    expect(read([flag('bind-address', address)]).bindAddress).toEqual(expected);
  });

  test('enable TLS with both files, and let the control plane review tokens by default', () => {
    const files = [flag('tls-cert-file', 'a.crt'), inFile(2, 'tls-private-key-file', 'a.key')];
    expect(read([]).secureServing).toBeUndefined();
    expect(read(files).secureServing).toEqual({
      certFile: 'a.crt',
      keyFile: 'a.key',
      authenticationKubeconfig: undefined,
    });
    const reviewed = read([...files, flag('authentication-kubeconfig', 'host.yaml')]);
    expect(reviewed.secureServing).toMatchObject({ authenticationKubeconfig: 'host.yaml' });
  });

  test.each([
    [['tls-cert-file'], /^--tls-cert-file: needs tls-private-key-file: /],
    [['tls-private-key-file'], /^--tls-private-key-file: needs tls-cert-file: /],
    [
      ['authentication-kubeconfig'],
      /^--authentication-kubeconfig: needs tls-cert-file and tls-private-key-file/,
    ],
    [['authentication-kubeconfig', 'tls-cert-file'], /^--tls-cert-file: needs tls-private-key-file/],
  ])('reject %j alone, which would leave the endpoint unprotected', async (names, message) => {
    expect(await wrong(names.map((name) => flag(name, 'file')))).toEqual([expect.stringMatching(message)]);
  });
});
