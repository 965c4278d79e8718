import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { isComponent, observeComponents } from '../../src/state/componentFlags.ts';

const running = (kind: string, name: string, container: object): KubernetesObject => {
  const podSpec = { containers: [{ name: 'c', ...container }] };
  const spec = kind === 'Pod' ? podSpec : { template: { spec: podSpec } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'karmada-system' },
    spec,
  } as KubernetesObject;
};
const manager = (kind: string, name: string, ...flags: string[]) =>
  running(kind, name, {
    image: 'docker.io/karmada/karmada-controller-manager:v1.18.2',
    command: ['/bin/karmada-controller-manager', ...flags],
  });

describe('a component of Karmada in a state', () => {
  test('is identified by its command or image, independently of its name', () => {
    const images = { image: 'registry.example.com/mirror/kcm@sha256:aa' };
    const objects = [
      manager('Deployment', 'kcm-prod', '--feature-gates=Failover=true', '--v=4'),
      running('StatefulSet', 's', {
        ...images,
        command: ['karmada-scheduler'],
        args: ['--scheduler-name', 'fast', '--leader-elect'],
      }),
      running('Pod', 'w', {
        ...images,
        command: ['sh', '-c', 'exec /bin/karmada-webhook --allow-no-execute-taint-policy=true'],
      }),
      running('DaemonSet', 'a', { image: 'localhost:5000/karmada/karmada-agent:v1.17.0' }),
    ];
    expect(objects.every(isComponent)).toBe(true);
    expect(observeComponents(objects).commandLines).toEqual([
      {
        component: 'controllerManager',
        source: 'Deployment karmada-system/kcm-prod',
        flags: [
          { name: 'feature-gates', value: 'Failover=true' },
          { name: 'v', value: '4' },
        ],
      },
      {
        component: 'scheduler',
        source: 'StatefulSet karmada-system/s',
        flags: [
          { name: 'scheduler-name', value: 'fast' },
          { name: 'leader-elect', value: 'true' },
        ],
      },
      { component: 'agent', source: 'DaemonSet karmada-system/a', flags: [] },
      {
        component: 'webhook',
        source: 'Pod karmada-system/w',
        flags: [{ name: 'allow-no-execute-taint-policy', value: 'true' }],
      },
    ]);
  });

  test('is not identified by the name of an object or by a flag', () => {
    expect(isComponent(running('Deployment', 'karmada-scheduler', { image: 'nginx:1' }))).toBe(false);
    expect(
      isComponent(running('Pod', 'p', { image: 'tool:1', args: ['--target=/bin/karmada-scheduler'] })),
    ).toBe(false);
    expect(isComponent({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'empty' } })).toBe(false);
    const search = running('Deployment', 's', { image: 'karmada/karmada-search:v1.18.2' });
    expect(isComponent(search)).toBe(false);
  });

  test('is read from a Deployment before its Pods, with a warning about a second Deployment with other flags', () => {
    const observed = observeComponents([
      manager('Pod', 'p', '--v=9'),
      manager('ReplicaSet', 'r', '--v=8'),
      manager('Deployment', 'one', '--v=1'),
      manager('Deployment', 'two', '--v=2'),
    ]);
    expect(observed.commandLines.map(({ source }) => source)).toEqual(['Deployment karmada-system/one']);
    expect(observed.warnings).toEqual([
      'Deployment karmada-system/two and Deployment karmada-system/one both run karmada-controller-manager with different flags; those of Deployment karmada-system/one are used unless you assume others',
    ]);
  });

  test('has the version of its image tag', () => {
    const version = (image: string) =>
      observeComponents([running('Deployment', 'd', { image, command: ['/bin/karmada-webhook'] })])
        .versions[0]?.version;
    expect(version('docker.io/karmada/karmada-webhook:v1.18.2')).toBe('v1.18.2');
    expect(version('karmada-webhook:1.17.0-rc.1@sha256:0123')).toBe('v1.17.0-rc.1');
    expect(version('host:5000/karmada-webhook:latest')).toBeUndefined();
    expect(version('host:5000/karmada-webhook')).toBeUndefined();
  });

  test('has a warning if it has no ready replica', () => {
    const warned = (spec: object, status?: object) => {
      const object = manager('Deployment', 'kcm') as KubernetesObject & { spec: object };
      return observeComponents([
        { ...object, spec: { ...object.spec, ...spec }, ...(status && { status }) } as KubernetesObject,
      ]).warnings;
    };
    const down = expect.stringContaining('Deployment karmada-system/kcm has no ready replica');
    expect(warned({ replicas: 2 }, { replicas: 2, unavailableReplicas: 2 })).toEqual([down]);
    expect(warned({ replicas: 0 }, {})).toEqual([
      expect.stringContaining('Deployment karmada-system/kcm is scaled to 0'),
    ]);
    expect(warned({ replicas: 2 }, { replicas: 2, readyReplicas: 1 })).toEqual([]);
    // A manifest does not show what is running.
    expect(warned({ replicas: 2 })).toEqual([]);
  });
});

describe("an environment variable in a component's arguments", () => {
  const withEnv = (value: string, container: object): KubernetesObject =>
    running('Deployment', 'kcm', {
      image: 'karmada-controller-manager:v1.18.2',
      command: ['/bin/karmada-controller-manager', `--feature-gates=${value}`],
      ...container,
    });
  const observed = (object: KubernetesObject, data?: Record<string, string>) =>
    observeComponents([object], (namespace, name) =>
      data && namespace === 'karmada-system' && name === 'gates'
        ? ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as KubernetesObject)
        : undefined,
    );
  const gates = (object: KubernetesObject, data?: Record<string, string>) =>
    observed(object, data).commandLines[0]!;

  test('is expanded as by the kubelet, including references to earlier variables', () => {
    const env = [
      { name: 'ON', value: 'true' },
      { name: 'FG', value: 'Failover=$(ON)' },
    ];
    expect(gates(withEnv('$(FG)', { env })).flags).toEqual([
      { name: 'feature-gates', value: 'Failover=true' },
    ]);
  });

  test('remains unexpanded if it is undefined or escaped', () => {
    expect(gates(withEnv('$(FG),$$(FG)', {})).flags[0]!.value).toBe('$(FG),$(FG)');
  });

  const fromConfigMap = {
    env: [{ name: 'FG', valueFrom: { configMapKeyRef: { name: 'gates', key: 'fg' } } }],
  };
  const allOfConfigMap = { envFrom: [{ prefix: 'F', configMapRef: { name: 'gates' } }] };
  test.each([
    ['one key', fromConfigMap, { fg: 'Failover=true' }],
    ['all keys', allOfConfigMap, { G: 'Failover=true' }],
  ])('is read from %s of a ConfigMap in the state', (_, container, data) => {
    expect(gates(withEnv('$(FG)', container), data).flags[0]!.value).toBe('Failover=true');
  });

  test.each([
    ['a missing ConfigMap', fromConfigMap],
    ['all keys of a missing ConfigMap', allOfConfigMap],
    ['a Secret', { env: [{ name: 'FG', valueFrom: { secretKeyRef: { name: 'gates', key: 'fg' } } }] }],
  ])('is unknown, with a warning, if it comes from %s', (_, container) => {
    const { commandLines, warnings } = observed(withEnv('$(FG)', container));
    expect(commandLines[0]).toMatchObject({ flags: [], unread: ['feature-gates'] });
    expect(warnings).toEqual([expect.stringContaining('--feature-gates from an environment variable')]);
  });
});

describe('the Karmada object of the operator', () => {
  const declared = {
    apiVersion: 'operator.karmada.io/v1alpha1',
    kind: 'Karmada',
    metadata: { name: 'demo', namespace: 'test' },
    spec: {
      components: {
        karmadaControllerManager: {
          imageTag: 'v1.15.1',
          featureGates: { Failover: true },
          extraArgs: { 'enable-no-execute-taint-eviction': 'true' },
        },
      },
    },
  } as unknown as KubernetesObject;

  test('declares feature gates, arguments and versions of components', () => {
    expect(isComponent(declared)).toBe(true);
    expect(observeComponents([declared])).toMatchObject({
      commandLines: [
        {
          component: 'controllerManager',
          source: 'Karmada test/demo',
          flags: [
            { name: 'feature-gates', value: 'Failover=true' },
            { name: 'enable-no-execute-taint-eviction', value: 'true' },
          ],
        },
      ],
      versions: [{ component: 'controllerManager', version: 'v1.15.1', source: 'Karmada test/demo' }],
    });
  });

  test('has lower priority than a Deployment of the component', () => {
    const running = manager('Deployment', 'kcm', '--feature-gates=Failover=false');
    expect(observeComponents([declared, running]).commandLines).toMatchObject([
      { source: 'Deployment karmada-system/kcm' },
    ]);
  });
});

test('the version of the controller manager is unknown, with a warning, if its image has no version', () => {
  const image = 'docker.io/karmada/karmada-controller-manager:latest';
  const { versions, warnings } = observeComponents([running('Deployment', 'kcm', { image })]);
  expect(versions).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining(`the image ${image} does not show the version`)]);
});
