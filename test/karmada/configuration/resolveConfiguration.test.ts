import { describe, expect, test } from '@jest/globals';
import { parseAssumption, parseAssumptions } from '../../../src/karmada/configuration/assumptions.ts';
import type { Assumption } from '../../../src/karmada/configuration/assumptions.ts';
import type { CommandLine } from '../../../src/karmada/configuration/commandLine.ts';
import { parseArguments } from '../../../src/karmada/configuration/commandLine.ts';
import { dialectOf, knownVersions } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import type { Component } from '../../../src/karmada/dialects/flags.ts';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';

const started = (component: Component, ...args: string[]): CommandLine => ({
  component,
  flags: parseArguments(args),
  source: `Deployment karmada-system/${component}`,
});
const assumed = (...texts: string[]) =>
  texts.flatMap((text) => parseAssumption(text, '--assume', v1_18) as Assumption[]);
const resolve = (lines: CommandLine[], assumptions: Assumption[] = []) => {
  const resolved = resolveConfiguration(v1_18, lines, assumptions);
  return { ...resolved, valueOf: (name: string) => resolved.values.find((one) => one.name === name) };
};

describe('given no command line', () => {
  test('every value is the assumed default of the version', () => {
    const { configuration, values, warnings } = resolve([]);
    expect(configuration).toEqual(v1_18.defaults);
    const source = 'default of v1.18.2 (assumed)';
    for (const { name, value } of values)
      expect(values).toContainEqual({ name, value, source, assumed: true, byDefault: true });
    expect(warnings).toEqual([]);
  });

  test('every gate and flag has a unique name', () => {
    const names = resolve([]).values.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['Failover', 'graceful-eviction-timeout', 'agent.cluster-failure-threshold']),
    );
  });

  test('the default of every feature gate matches the defaults of its version', () => {
    for (const version of knownVersions) {
      const { defaults, featureGates } = dialectOf(version).dialect;
      for (const [name, value] of Object.entries(defaults.featureGates))
        expect({ version, name, on: featureGates[name]?.default ?? false }).toEqual({
          version,
          name,
          on: value,
        });
    }
  });
});

test('a command line accepts 200,000 flags', () => {
  const gates = Array.from({ length: 200_000 }, (_, at) => `--feature-gates=Gate${at}=true`);
  expect(resolve([started('controllerManager', ...gates.slice(0, 3))]).warnings).toHaveLength(3);
  const flags = parseArguments(gates);
  expect(resolve([{ component: 'controllerManager', flags, source: 'x' }]).warnings).toHaveLength(200_000);
});

describe('the flag --plugins of karmada-scheduler', () => {
  test('is listed unless all plugins run, and names that the scheduler does not know are ignored', () => {
    const plugins = (value: string) => resolve([started('scheduler', `--plugins=${value}`)]);
    expect(plugins('*').valueOf('plugins')).toBeUndefined();
    const { configuration, warnings, valueOf } = plugins('*,-TaintToleration,Own');
    expect(configuration.scheduler.plugins).toBe('*,-TaintToleration,Own');
    expect(valueOf('plugins')).toMatchObject({ value: '*,-TaintToleration,Own', assumed: false });
    expect(warnings).toEqual([]);
  });

  test('is refused in an assumption with an unknown name', () => {
    expect(parseAssumption('plugins=*,-TaintTolerations', '--assume', v1_18)).toMatchObject({
      message: expect.stringMatching(/"\*,-TaintTolerations" is not a list of APIEnablement/),
    });
  });
});

describe('the flag --controllers', () => {
  const of = (list: string, version = 'v1.18.2', assumed?: string) => {
    const { dialect } = dialectOf(version);
    const given = assumed === undefined ? [] : parseAssumption(`controllers=${assumed}`, '--assume', dialect);
    if (!Array.isArray(given)) throw new Error(given.message);
    const lines = [started('controllerManager', `--controllers=${list}`)];
    const { configuration, values, warnings } = resolveConfiguration(dialect, lines, given);
    return {
      list: configuration.controllerManager.controllers,
      value: values.find(({ name }) => name === 'controllers'),
      warnings,
    };
  };

  test('is neither listed nor warned about if all failover controllers start', () => {
    expect(of('*')).toEqual({ list: '*', value: undefined, warnings: [] });
    expect(of('*,-hpaScaleTargetMarker').warnings).toEqual([]);
  });

  test('causes a warning if it disables a controller that failover needs', () => {
    expect(of('*,-gracefulEviction,-cluster')).toEqual({
      list: '*,-gracefulEviction,-cluster',
      value: expect.objectContaining({ value: '*,-gracefulEviction,-cluster', assumed: false }),
      warnings: [
        'Deployment karmada-system/controllerManager, --controllers: cluster, gracefulEviction are not started, and their work is not simulated; if another program does it, set the assumption controllers=*',
      ],
    });
    expect(of('*,-execution').warnings).toEqual([
      'Deployment karmada-system/controllerManager, --controllers: execution is not started, but simulated: agents run it, too',
    ]);
  });

  test('can be overridden by an assumption, with a warning that omits the hint controllers=*', () => {
    expect(of('*,-cluster', 'v1.18.2', '*')).toMatchObject({ list: '*', warnings: [] });
    expect(of('*', 'v1.18.2', '*,-binding').warnings).toEqual([
      '--assume: binding is not started, and its work is not simulated',
    ]);
    expect(() => of('*', 'v1.18.2', '*,-gracefuleviction')).toThrow(
      'controllers: "*,-gracefuleviction" is not',
    );
  });

  test('has no effect on a proposal unless it is assumed', () => {
    expect(of('*,-cluster', 'proposal')).toMatchObject({ list: '*', value: undefined, warnings: [] });
    expect(of('*', 'proposal', '*,-cluster').list).toBe('*,-cluster');
  });
});

describe('a flag or gate that the version does not have', () => {
  const of = (version: string, ...args: string[]) => {
    const { dialect } = dialectOf(version);
    return resolveConfiguration(dialect, [started('controllerManager', ...args)], []);
  };

  test('is ignored with a warning', () => {
    const { configuration, values, warnings } = of('v1.15.9', '--failover-eviction-timeout=1m');
    expect(warnings).toEqual([
      'Deployment karmada-system/controllerManager: --failover-eviction-timeout is unknown to karmada-controller-manager v1.15.9 (Karmada has it before v1.14.0), which does not start with it; if another version runs, name it with the version of Karmada',
    ]);
    expect(configuration).toEqual(dialectOf('v1.15.9').dialect.defaults);
    expect(values.map(({ name }) => name)).not.toContain('failover-eviction-timeout');
  });

  test('causes one warning for all components that set the gate', () => {
    const { dialect } = dialectOf('v1.16.8');
    const gates = '--feature-gates=WorkloadAffinity=true';
    const lines = [started('controllerManager', gates, '--no-such-flag=1'), started('scheduler', gates)];
    expect(resolveConfiguration(dialect, lines, []).warnings).toEqual([
      'Deployment karmada-system/controllerManager: --no-such-flag is unknown to karmada-controller-manager v1.16.8, which does not start with it',
      'Deployment karmada-system/controllerManager, Deployment karmada-system/scheduler: v1.16.8 knows no feature gate WorkloadAffinity, and a component does not start with it; if another version runs, name it with the version of Karmada',
    ]);
  });

  test('shares one warning with the other unknown flags of its component', () => {
    const { warnings } = of('v1.13.10', '--resource-eviction-rate=1', '--enable-no-execute-taint-eviction');
    expect(warnings).toEqual([
      'Deployment karmada-system/controllerManager: --resource-eviction-rate, --enable-no-execute-taint-eviction are unknown to karmada-controller-manager v1.13.10, which does not start with them; if another version runs, name it with the version of Karmada',
    ]);
  });

  test.each([
    ['v1.13.10', '--failover-eviction-timeout=1m', []],
    [
      'v1.14.3',
      '--failover-eviction-timeout=1m',
      [expect.stringMatching(/has no effect in karmada-controller-manager v1\.14\.3.*, so it is ignored/)],
    ],
    [
      'v1.14.3',
      '--resource-eviction-rate=1',
      [expect.stringContaining('is unknown to karmada-controller-manager v1.14.3')],
    ],
    ['v1.18.2', '--resource-eviction-rate=1', []],
    ['v1.18.2', '--v=4', []],
    ['v1.18.2', '--log_dir=/tmp', []],
    ['v1.17.5', '--cluster-lease-duration=40s', []],
    ['v1.18.2', '--cluster-lease-duration=40s', [expect.stringContaining('(Karmada has it before v1.18.0)')]],
    [
      'v1.18.2',
      '--resource-evicton-rate=1',
      [
        expect.stringContaining(
          '--resource-evicton-rate is unknown to karmada-controller-manager v1.18.2, which does not start with it',
        ),
      ],
    ],
    [
      'v1.16.8',
      '--feature-gates=WorkloadAffinity=true,AllBeta=true',
      [expect.stringContaining('v1.16.8 knows no feature gate WorkloadAffinity')],
    ],
    ['v1.17.0', '--feature-gates=WorkloadAffinity=true', []],
  ])('in %s, %s causes only the expected warnings', (version, flag, warnings) => {
    expect(of(version, flag).warnings).toEqual(warnings);
  });

  test.each([
    [
      'v1.13.10',
      'resource-eviction-rate=1',
      'resource-eviction-rate has no effect in v1.13.10: Karmada has it from v1.16.0 on',
    ],
    [
      'v1.17',
      'failover-eviction-timeout=1m',
      'failover-eviction-timeout has no effect in v1.17: Karmada has it before v1.14.0',
    ],
    [
      'v1.12.3',
      'PriorityBasedScheduling=true',
      'PriorityBasedScheduling has no effect in v1.12.3: Karmada has it from v1.13.0 on',
    ],
  ])('is refused as an assumption (%s, %s)', (version, text, message) => {
    expect(parseAssumption(text, '--assume', dialectOf(version).dialect)).toEqual({
      message: `${message}; leave it out, or name a version that has it`,
      unknown: expect.anything(),
    });
  });

  test('is not listed, and its gate is off', () => {
    const { configuration, values } = of('v1.10.0');
    expect(configuration.featureGates).toMatchObject({ Failover: true, WorkloadAffinity: false });
    expect(values.map(({ name }) => name)).not.toContain('WorkloadAffinity');
  });
});

describe('the command line of a component', () => {
  test('sets its flags and confirms the defaults of the flags that it omits', () => {
    const { configuration, valueOf } = resolve([
      started(
        'controllerManager',
        '--feature-gates=Failover=true',
        '--enable-no-execute-taint-eviction=true',
        '--graceful-eviction-timeout=3m',
      ),
    ]);
    expect(configuration.featureGates.Failover).toBe(true);
    expect(configuration.controllerManager['graceful-eviction-timeout']).toBe(180_000);
    expect(valueOf('graceful-eviction-timeout')).toEqual({
      name: 'graceful-eviction-timeout',
      value: '3m',
      source: 'Deployment karmada-system/controllerManager, --graceful-eviction-timeout',
      assumed: false,
    });
    expect(valueOf('resource-eviction-rate')).toEqual({
      name: 'resource-eviction-rate',
      value: 0.5,
      source: 'default of v1.18.2, Deployment karmada-system/controllerManager does not set it',
      assumed: false,
    });
    expect(valueOf('allow-no-execute-taint-policy')).toMatchObject({ value: false, assumed: true });
  });

  test('sets all unnamed gates of a stage with AllAlpha and AllBeta', () => {
    const gates = (text: string) =>
      resolve([started('controllerManager', `--feature-gates=${text}`)]).configuration.featureGates;
    expect(gates('AllBeta=true')).toMatchObject({ Failover: true, StatefulFailoverInjection: false });
    expect(gates('AllAlpha=true')).toMatchObject({ Failover: false, StatefulFailoverInjection: true });
    expect(gates('AllAlpha=true,AllBeta=true')).toMatchObject({
      Failover: true,
      StatefulFailoverInjection: true,
    });
    expect(gates('Failover=false,AllBeta=true')).toMatchObject({ Failover: false });
    expect(gates('AllBeta=false')).toMatchObject({ GracefulEviction: false });
  });

  test('sets the gates that its component uses, with a warning about other values in other components', () => {
    const { configuration, warnings } = resolve([
      started('controllerManager', '--feature-gates=Failover=false'),
      started('scheduler', '--feature-gates=Failover=true,WorkloadAffinity=true'),
    ]);
    expect(configuration.featureGates).toMatchObject({ Failover: false, WorkloadAffinity: true });
    expect(warnings).toEqual([
      'feature gate Failover is false in Deployment karmada-system/controllerManager and true in Deployment karmada-system/scheduler; the value of karmada-controller-manager counts',
    ]);
  });

  test('uses the last value of a repeated flag', () => {
    const line = started(
      'webhook',
      '--allow-no-execute-taint-policy',
      '--allow-no-execute-taint-policy=false',
    );
    expect(resolve([line]).configuration.webhook['allow-no-execute-taint-policy']).toBe(false);
  });

  test('falls back to the default for an unreadable value, with a warning', () => {
    const { configuration, warnings, valueOf } = resolve([
      started('controllerManager', '--graceful-eviction-timeout=$(TIMEOUT)'),
    ]);
    expect(configuration).toEqual(v1_18.defaults);
    expect(valueOf('graceful-eviction-timeout')).toMatchObject({ value: '10m' });
    expect(warnings).toEqual([
      'Deployment karmada-system/controllerManager: --graceful-eviction-timeout=$(TIMEOUT) is not a duration such as 30s or 3m, so the default is assumed; give the value with the assumption graceful-eviction-timeout=…',
    ]);
  });
});

describe('assumptions', () => {
  test('override the command line, and the last assumption overrides the earlier ones', () => {
    const { configuration, valueOf } = resolve(
      [started('controllerManager', '--feature-gates=Failover=false')],
      assumed('Failover=true', 'graceful-eviction-timeout=1m', 'graceful-eviction-timeout=1h2m'),
    );
    expect(configuration.featureGates.Failover).toBe(true);
    expect(valueOf('graceful-eviction-timeout')).toMatchObject({ value: '1h2m', source: '--assume' });
  });

  test('apply to all components with the flag, or only to the named component', () => {
    const { configuration } = resolve(
      [],
      assumed('cluster-failure-threshold=1m', 'agent.cluster-failure-threshold=2m'),
    );
    expect(configuration.controllerManager['cluster-failure-threshold']).toBe(60_000);
    expect(configuration.agent['cluster-failure-threshold']).toBe(120_000);
  });

  test('set several gates with feature-gates, like a command line', () => {
    const { configuration } = resolve([], assumed('feature-gates=AllAlpha=true,WorkloadAffinity=false'));
    expect(configuration.featureGates).toMatchObject({
      StatefulFailoverInjection: true,
      WorkloadAffinity: false,
    });
  });

  test('accept YAML values by component in a scenario', () => {
    const block = {
      featureGates: { Failover: true },
      controllerManager: { 'resource-eviction-rate': 2, 'graceful-eviction-timeout': '3m' },
      agent: null,
    };
    const { configuration } = resolve([], parseAssumptions(block, 'scenario', v1_18) as Assumption[]);
    expect(configuration.controllerManager).toMatchObject({
      'resource-eviction-rate': 2,
      'graceful-eviction-timeout': 180_000,
    });
  });

  test.each([
    ['Failover', '"Failover" is not NAME=VALUE, such as Failover=true or graceful-eviction-timeout=3m'],
    ['Failover=perhaps', 'Failover: "perhaps" is not true or false'],
    ['graceful-eviction-timeout=180', 'graceful-eviction-timeout: "180" is not a duration such as 30s or 3m'],
    ['cluster-monitor-period=0s', 'cluster-monitor-period: "0s" is not a duration such as 30s or 3m above 0'],
    [
      'resource-eviction-rate=-1',
      'resource-eviction-rate: "-1" is not a number, 0 or from 1.1e-10 to 3.4e+38',
    ],
    // its delay overflows in Go, with a result that depends on the processor
    [
      'resource-eviction-rate=1e-10',
      'resource-eviction-rate: "1e-10" is not a number, 0 or from 1.1e-10 to 3.4e+38',
    ],
    [
      'no-execute-taint-eviction-purge-mode=Never',
      'no-execute-taint-eviction-purge-mode: "Never" is not Gracefully or Directly',
    ],
    ['failover=true', 'v1.18.2 knows no feature gate or flag failover'],
    [
      'scheduler.graceful-eviction-timeout=3m',
      'v1.18.2 knows no feature gate or flag scheduler.graceful-eviction-timeout',
    ],
    [
      'MultiClusterService=true',
      'the feature gate MultiClusterService has no effect on these answers; leave it out',
    ],
  ])('are refused if invalid: %s', (text, message) => {
    expect(parseAssumption(text, '--assume', v1_18)).toMatchObject({ message });
  });

  test('are refused with the name of the wrong field', () => {
    expect(parseAssumptions({ controllermanager: {} }, 's', v1_18)).toMatchObject({
      message: 'assume.controllermanager is not known',
      unknown: { typed: 'controllermanager' },
    });
    expect(parseAssumptions({ agent: { 'cluster-lease-duration': 40 } }, 's', v1_18)).toMatchObject({
      message:
        'assume.agent: agent.cluster-lease-duration: 40 is not a duration such as 30s or 3m, 0 or more',
    });
    expect(parseAssumptions({ featureGates: ['Failover'] }, 's', v1_18)).toMatchObject({
      message: 'assume.featureGates is not a mapping of names to values',
    });
  });
});
