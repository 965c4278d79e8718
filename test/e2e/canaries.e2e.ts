/**
 * A canary in each field and annotation that Karmada or Kubernetes copies from elsewhere (the table of docs/security.md), on a control
 * plane that copies them: no output, log, file or page of our commands and controllers may contain one.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { load, dump } from 'js-yaml';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Work } from '../../src/karmada/api/work.ts';
import { controllerProcesses, OFF, SAID, type ControllerProcesses } from './controllerProcess.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually, freePorts } from './controlPlane/processes.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { on, one } from './placements.ts';
import { program } from '../program.ts';
import { endsWith } from './tool.ts';
import { collectionOf, createAll, deployment, namespace, policyFor } from './workloads.ts';

/** Where each canary is put; a leak names its place. */
const PLACES = [
  'last-applied',
  'managed-fields',
  'override-env',
  'override-args',
  'override-field',
  'override-annotation',
  'cluster-override',
  'env',
  'args',
  'secret',
  'config-map',
  'controller-revision',
  'status',
  'apply-error',
  'event',
  'task',
  'proxy-url',
  'proxy-header',
  'other-tool',
] as const;
type Place = (typeof PLACES)[number];
const canary = (place: Place | 'exec-env' | 'exec-says' | 'token'): string => `c4n4ry-${place}`;
/** Annotations of other tools hold anything; snapshots and recordings leave them out. */
const ONLY_FILES: readonly Place[] = ['other-tool', 'managed-fields'];

const directory = mkdtempSync(join(tmpdir(), 'canaries-'));
const file = (name: string) => join(directory, name);
const said: { what: string; text: string }[] = [];
let bed: Bed;
let controllers: ControllerProcesses;

type Fields = Record<string, unknown>;
const inShop = (apiVersion: string, kind: string, name: string, more: object): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop' }, ...more }) as KubernetesObject;

const cart = deployment('shop', 'cart', 2) as KubernetesObject & {
  spec: { template: { spec: { containers: Fields[] } } };
};
Object.assign(cart.spec.template.spec.containers[0]!, {
  env: [{ name: 'ANY', value: canary('env') }],
  args: ['serve', '--token', canary('args')],
});
cart.metadata.annotations = {
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
    data: { any: canary('last-applied') },
  }),
  'tool.example/note': canary('other-tool'),
};
const refused = deployment('shop', 'refused', 1);
const secret = inShop('v1', 'Secret', 'password', { stringData: { any: canary('secret') } });
const settings = inShop('v1', 'ConfigMap', 'settings', {
  data: { plain: canary('config-map'), 'app.yaml': 'db:\n  any: other\n' },
});
const revision = inShop('apps/v1', 'ControllerRevision', 'cart-1', {
  revision: 1,
  data: {
    spec: {
      template: { spec: { containers: [{ env: [{ name: 'ANY', value: canary('controller-revision') }] }] } },
    },
  },
});
const claim = inShop('v1', 'PersistentVolumeClaim', 'claim', {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const objects = [cart, refused, secret, settings, revision, claim];

const overrides = (kind: string, of: KubernetesObject, overriders: object): KubernetesObject =>
  ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: {
      name: `${kind.toLowerCase()}-${of.metadata.name}`,
      ...(kind === 'OverridePolicy' ? { namespace: 'shop' } : {}),
    },
    spec: {
      resourceSelectors: [
        { apiVersion: of.apiVersion, kind: of.kind, name: of.metadata.name, namespace: 'shop' },
      ],
      overrideRules: [{ overriders }],
    },
  }) as unknown as KubernetesObject;
const policies = [
  overrides('OverridePolicy', cart, {
    plaintext: [
      {
        path: '/spec/template/spec/containers/0/env/0/value',
        operator: 'replace',
        value: canary('override-env'),
      },
    ],
    argsOverrider: [
      { containerName: 'main', operator: 'add', value: ['--db-password', canary('override-args')] },
    ],
    annotationsOverrider: [
      { operator: 'add', value: { 'tool.example/password': canary('override-annotation') } },
    ],
  }),
  overrides('OverridePolicy', settings, {
    fieldOverrider: [
      {
        fieldPath: '/data/app.yaml',
        yaml: [{ subPath: '/db/any', operator: 'replace', value: canary('override-field') }],
      },
    ],
  }),
  overrides('ClusterOverridePolicy', settings, {
    plaintext: [{ path: '/data/plain', operator: 'replace', value: canary('cluster-override') }],
  }),
  // the member refuses it, and quotes it
  overrides('ClusterOverridePolicy', refused, {
    plaintext: [
      {
        path: '/spec/template/spec/containers/0/image',
        operator: 'replace',
        value: ` https://user:${canary('apply-error')}@registry.example/app:1`,
      },
    ],
  }),
];
const unreachable = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'unreachable' },
  spec: {
    syncMode: 'Push',
    apiEndpoint: 'https://127.0.0.1:1',
    proxyURL: `http://user:${canary('proxy-url')}@127.0.0.1:1`,
    proxyHeader: { 'X-Any': canary('proxy-header') },
    insecureSkipTLSVerification: true,
  },
} as unknown as KubernetesObject;
const event = inShop('v1', 'Event', 'of-a-scheduler', {
  involvedObject: {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    name: 'cart-deployment',
    namespace: 'shop',
  },
  reason: 'ScheduleBindingFailed',
  message: `Get "https://h/": Authorization: Bearer ${canary('event')}`,
  source: { component: 'karmada-scheduler' },
  type: 'Warning',
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
  count: 1,
});

beforeAll(async () => {
  const members = defaultOptions.members.slice(0, 2);
  const controllerManager = { ...defaultOptions.controllerManager, ...OFF };
  bed = await up({ ...defaultOptions, members, controllerManager, readyAfter: 1 });
  const settingsOfControllers = [
    ...['--feature-gates=Failover=true', '--enable-no-execute-taint-eviction=true', ...SAID, '-v=10'],
    '--graceful-eviction-timeout=1m',
  ];
  controllers = controllerProcesses(bed.kubeconfig, settingsOfControllers);
  await createAll(bed.api(), [namespace('shop'), unreachable, ...policies, event]);
  for (const object of objects) {
    const collection = collectionOf(object.apiVersion, object.kind, 'shop');
    await bed.api().create(`${collection}?fieldManager=${canary('managed-fields')}`, object);
    const name = `${object.metadata.name}-of-${object.kind.toLowerCase()}`;
    const policy = policyFor(object, { ...on('member1', 'member2'), spreadConstraints: one });
    await createAll(bed.api(), [{ ...policy, metadata: { ...policy.metadata, name } }]);
  }
  await eventually('a claim in a member', () => inMember('claim'));
  const status = {
    phase: 'Bound',
    conditions: [
      { type: 'Resizing', status: 'True', message: `resize with DB_PASSWORD=${canary('status')}` },
    ],
  };
  for (const member of ['member1', 'member2'])
    await bed
      .api(member)
      .merge('/api/v1/namespaces/shop/persistentvolumeclaims/claim/status', { status })
      .catch(() => undefined);
  await bed
    .api()
    .merge('/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/refused-deployment', {
      spec: {
        gracefulEvictionTasks: [
          {
            fromCluster: 'member2',
            reason: 'TaintUntolerated',
            message: `because of --token ${canary('task')}`,
            producer: 'TaintManager',
            suppressDeletion: true,
            creationTimestamp: new Date().toISOString(),
          },
        ],
      },
    });
}, 300_000);

afterAll(async () => {
  await controllers?.stop();
  rmSync(directory, { recursive: true });
  await bed?.down();
});

async function inMember(name: string): Promise<boolean> {
  const lists = await Promise.all(
    ['member1', 'member2'].map((member) => bed.api(member).list('/api/v1/persistentvolumeclaims')),
  );
  return lists.some(({ items }) => items.some(({ metadata }) => metadata.name === name));
}

/** Everything in the control plane that we read. */
async function held(): Promise<string> {
  const work = '/apis/work.karmada.io/v1alpha';
  const policy = '/apis/policy.karmada.io/v1alpha1';
  const lists = await Promise.all(
    [
      ...[`${work}1/works`, `${work}2/resourcebindings`, '/apis/cluster.karmada.io/v1alpha1/clusters'],
      ...[`${policy}/overridepolicies`, `${policy}/clusteroverridepolicies`, '/api/v1/events'],
      ...objects.map(({ apiVersion, kind }) => collectionOf(apiVersion, kind)),
    ].map((path) => bed.api().list(path)),
  );
  return JSON.stringify(lists);
}

/** Canaries in a text, also in base64. */
function found(text: string, except: readonly string[] = []): string[] {
  const all = [...PLACES, 'exec-env', 'exec-says', 'token'] as const;
  const leaks = all.filter((place) => {
    const plain = canary(place);
    return text.includes(plain) || text.includes(Buffer.from(plain).toString('base64'));
  });
  return [
    ...leaks.filter((place) => !except.includes(place)),
    ...(text.includes(bed.file.token) ? ['the token of the kubeconfig'] : []),
  ];
}

/** Runs a command with all its requests logged, and keeps its output; throws for another exit code. */
async function run(code: number, ...argv: string[]): Promise<void> {
  const { stdout, stderr } = await endsWith(bed, code, ...argv, '-v=10');
  said.push({ what: argv.join(' '), text: stdout + stderr });
}

test('Karmada has copied each test secret', async () => {
  await eventually(
    'all copies',
    async () => {
      const works = (await bed.api().list('/apis/work.karmada.io/v1alpha1/works')).items as unknown as Work[];
      const copies = JSON.stringify(works.map(({ metadata, spec }) => [metadata, spec]));
      const reported = JSON.stringify([(await bindings(bed)).map(({ status }) => status), works]);
      const everything = await held();
      const missing = {
        inState: PLACES.filter((place) => !everything.includes(canary(place)) && place !== 'secret'),
        // in the manifest, and in the last-applied annotation
        inWorks: PLACES.filter(
          (place) => place.includes('override') && copies.split(canary(place)).length < 3,
        ),
        reported: (['status', 'apply-error'] as const).filter((place) => !reported.includes(canary(place))),
      };
      if (Object.values(missing).flat().length > 0) throw new Error(JSON.stringify(missing));
      return true;
    },
    { within: 60_000 },
  );
});

test('the output of our commands, controllers and files contains no test secret', async () => {
  const [port] = await freePorts(1);
  const controller = controllers.start(
    `--bind-address=127.0.0.1:${port}`,
    `--record=${file('controller.rec')}`,
  );
  await controller.leads();
  const recording = run(0, 'record', file('incident.rec'), '--for', '12s');
  await bed.api().merge('/apis/cluster.karmada.io/v1alpha1/clusters/member1', {
    spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
  });
  await eventually('an eviction', async () =>
    (await bindings(bed)).some(({ spec }) =>
      spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === 'member1'),
    ),
  );
  await run(0, 'failover', 'status', '-o', 'wide');
  await run(0, 'failover', 'explain', 'deploy/cart', '-n', 'shop', '-o', 'json');
  await run(
    0,
    ...['failover', 'simulate', '--fail', 'member2', '-o', 'json'],
    ...['--report', file('simulation.html'), '--save-state', file('end.json')],
  );
  await run(0, 'failover', 'audit', '-o', 'json');
  await run(0, 'eviction', 'inspect', '-o', 'json');
  await run(0, 'taint-policy', 'list', '-o', 'json');
  await run(
    1,
    'drain',
    'member2',
    '--dry-run=server',
    '-o',
    'json',
    '--out',
    file('plan.json'),
    '--report',
    file('drain.html'),
  );
  await run(0, 'snapshot', 'save', file('snapshot.json.gz'));
  await recording;
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await controllers.stop();
  for (const argv of [
    ['report', file('incident.rec'), '--out', file('incident.html')],
    ['timeline', '--state', file('incident.rec'), '-o', 'json'],
  ])
    said.push({ what: argv.join(' '), text: execFileSync(...program(...argv), { encoding: 'utf8' }) });
  await run(4, 'failover', 'status', '--token', canary('token'));
  await run(
    0,
    'failover',
    'status',
    '--kubeconfig',
    withPlugin('good', `echo '${credential(bed.file.token)}'`),
  );
  await run(
    4,
    'failover',
    'status',
    '--kubeconfig',
    withPlugin('bad', 'echo "$API_SECRET" >&2; echo token: c4n4ry-exec-says >&2; exit 1'),
  );

  const events = (await bed.api().list('/api/v1/events')).items.filter((one) =>
    JSON.stringify(one.metadata['managedFields']).includes('failover'),
  );
  expect(events.length).toBeGreaterThan(0);
  expect(metrics).toContain('# HELP');
  const files = readdirSync(directory).filter((name) => !name.startsWith('kubeconfig'));
  const contents = files.map((name) => {
    const bytes = readFileSync(file(name));
    return { what: name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString() };
  });
  expect(files).toEqual(
    expect.arrayContaining([
      'incident.rec',
      'controller.rec',
      'snapshot.json.gz',
      'end.json',
      'plan.json',
      'simulation.html',
      'drain.html',
      'incident.html',
    ]),
  );
  // the searched data contained what was redacted
  expect(said.map(({ text }) => text).join()).toMatch(/applied-overrides.*\*\*\*/);
  const shown = [
    ...said,
    { what: 'the log of the controller', text: controller.log() },
    { what: 'Events', text: JSON.stringify(events) },
    { what: 'metrics', text: metrics },
  ];
  expect(
    [
      ...shown.map(({ what, text }) => ({ what, found: found(text, ONLY_FILES) })),
      ...contents.map(({ what, text }) => ({ what, found: found(text) })),
    ].filter((one) => one.found.length > 0),
  ).toEqual([]);
});

function credential(token: string): string {
  return JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token },
  });
}

/** The kubeconfig of the bed with a credential plugin, which gets a secret in its environment. */
function withPlugin(name: string, script: string): string {
  const config = load(readFileSync(bed.kubeconfig, 'utf8')) as { users: Fields[] };
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: 'sh',
    args: ['-c', script],
    env: [{ name: 'API_SECRET', value: canary('exec-env') }],
  };
  config.users = [{ name: 'admin', user: { exec } }];
  const path = file(`kubeconfig-${name}`);
  writeFileSync(path, dump(config), { mode: 0o600 });
  return path;
}
