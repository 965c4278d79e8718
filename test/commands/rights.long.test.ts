import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../../src/karmada/api/names.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { cancelDrain } from '../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { v1_18 } from '../dialects.ts';
import { cluster, drainOptions, scene, smallScene, START, workload } from '../operations/drain/drainScene.ts';
import type { Client } from '../operations/fakeClient.ts';
import { createFakeControlPlane } from '../operations/fakeControlPlane.ts';
import { ourNames, runOurs } from '../operations/controllers/ours.ts';
import { lyingServer } from '../operations/lyingServer.ts';
import { world } from '../simulator/simulation/controlPlane.ts';
import { evicting, onOneOf, plainWorld } from '../proposal/underDesign.ts';
import { scraperReviews } from '../../src/state/observation/scrapers.ts';
import type { ServingOptions } from '../state/live/servingObjects.ts';
import { openApi } from '../useCases/controller/openApi.ts';
import { openCommand } from './dashboardOnScreen.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';
import { noting, type UsedRight } from './rightsUsed.ts';

/*
 * docs/rbac.yaml against the requests that commands send: what is asked for is granted by the roles that are said to serve a command, and
 * each right that a role grants is one that such a command needs.
 */

interface Rule {
  /** absent: about paths, such as /metrics */
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  verbs: string[];
}
type Role = KubernetesObject & { rules: Rule[] };

const incident = incidentItems();
const policies = readFileSync('test/fixtures/taint-policy-world.yaml', 'utf8')
  .split('\n---\n')
  .map((text) => load(text) as KubernetesObject);

/** Everything that a role of docs/rbac.yaml grants: "karmada-failover-reader", and in a namespace "… in karmada-cluster". */
const granted = new Map<string, (UsedRight & { used: boolean })[]>();
for (const { metadata, rules } of loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as Role[]) {
  const { name, namespace } = metadata;
  const rights = rules.flatMap(({ apiGroups = [], resources, resourceNames = [undefined], verbs }) =>
    apiGroups.flatMap((group) =>
      resources!.flatMap((plural) =>
        resourceNames.flatMap((one) =>
          verbs.map((verb) => {
            const [resource, sub] = plural.split('/');
            const whole = [resource, group].filter(Boolean).join('.');
            return {
              verb,
              resource: sub === undefined ? whole : `${whole}/${sub}`,
              used: false,
              ...(namespace !== undefined && { namespace }),
              ...(one !== undefined && { name: one }),
            };
          }),
        ),
      ),
    ),
  );
  granted.set(namespace === undefined ? name : `${name} in ${namespace}`, rights);
}

/** The incident without a kind that few policies select, and a policy for those kinds that it has none of. */
function incidentItems(): KubernetesObject[] {
  const { items } = JSON.parse(readFileSync('examples/incident/control-plane.json', 'utf8')) as {
    items: KubernetesObject[];
  };
  const kinds = {
    v1: ['ConfigMap', 'Service', 'ServiceAccount', 'PersistentVolumeClaim'],
    'batch/v1': ['Job', 'CronJob'],
  };
  const selectors = Object.entries(kinds).flatMap(([apiVersion, names]) =>
    names.map((kind) => ({ apiVersion, kind })),
  );
  const others = Object.entries(kinds).flatMap(([apiVersion, names]) =>
    names.map((kind) => {
      const name = `other-${kind.toLowerCase()}`;
      return { apiVersion, kind, metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1' } };
    }),
  );
  return [
    ...others,
    ...items.filter(({ metadata }) => !metadata.name.startsWith('support-readonly')),
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'others', namespace: 'shop', uid: 'others', resourceVersion: '1' },
      spec: { resourceSelectors: selectors, placement: {} },
    } as KubernetesObject,
  ];
}
const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'new' },
  spec: {
    targetClusters: { clusterNames: ['gamma'] },
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    taints: [{ key: 'x', effect: 'NoSchedule' }],
  },
};
const HOST = ['host in karmada-system', 'host in kube-system', 'host'] as const;
const DRAIN = 'drain oregon --yes --allow-blocked --allow-loss --allow-unhealthy';
/** The commands that may be given a server. */
const COMMANDS = Object.entries(
  (JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as { commands: Record<string, { flags: object }> })
    .commands,
).flatMap(([command, { flags }]) => ('server' in flags ? [command] : []));
const controlled = (version = '1.18') => {
  const placed = workload('web', [{ name: 'member1', replicas: 2 }], {
    placement: onOneOf('member1', 'member2'),
  });
  const failover = { cluster: { tolerationSeconds: 10 } };
  const tolerating = { ...placed, spec: { ...placed.spec, failover } } as unknown as ResourceBinding;
  const { taintPolicies } = world([], []);
  return createFakeControlPlane(
    {
      ...plainWorld([cluster('member1'), cluster('member2')], [tolerating, withoutNamespace(tolerating)]),
      taintPolicies,
    },
    { start: START, configuration: evicting(version, { 'resource-eviction-rate': 0.05 }), without: ourNames },
  );
};

/** A cluster that is not Ready, and the policy that taints it. */
function downed(): KubernetesObject[] {
  const down = cluster('member1');
  down.status!.conditions![0]!.status = 'False';
  const [policy] = world([], []).taintPolicies;
  const ofServer = { uid: 'u', resourceVersion: '5' };
  return [
    { ...down, metadata: { ...down.metadata, ...ofServer } },
    {
      ...policy!,
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { ...policy!.metadata, ...ofServer },
    },
  ] as KubernetesObject[];
}

type RoleName =
  | 'host'
  | 'reader'
  | 'reader in karmada-cluster'
  | 'reader in karmada-system'
  | 'templates'
  | 'doctor'
  | 'operator'
  | 'webhooks'
  | 'policies'
  | 'history'
  | 'events in default'
  | 'controller'
  | 'controller-conditions'
  | 'controller in karmada-system'
  | 'controller-crds'
  | 'controller-reviews'
  | 'leases in karmada-system'
  | 'host in karmada-system'
  | 'host in kube-system';

interface Run {
  /** the name in this test */
  name: string;
  /** the command line */
  command: string;
  roles: readonly RoleName[];
  /** sends the requests of the command, and resolves with the rights that they needed */
  rights: () => Promise<readonly UsedRight[]>;
}

type Served = ServingOptions & { objects?: readonly KubernetesObject[] };

/** A command line on a server with these objects; DIR is a new directory. */
const line = (argv: string, roles: readonly RoleName[], served?: Served) =>
  typed(argv, roles, served, async (argument, server) => {
    writeFileSync(join(server.directory, 'policy.json'), JSON.stringify(policy));
    const { code, stderr } = await runLive(argument, server);
    if (code === 2 || code === 70) throw new Error(`${argv}: ${stderr}`);
  });

/** The same on a terminal, or until a given right was needed, the last one. */
const until = (argv: string, last: string, roles: readonly RoleName[], served?: Served) =>
  typed(argv, roles, served, async (argument, server) => {
    const shown = openCommand(server, argument);
    for (let turn = 0; !server.rights.some((right) => textOf(right) === last); turn++) {
      if (turn > 12_000) throw new Error(`${argv} never needed ${last}: ${shown.stderr()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    shown.kill('SIGTERM');
    await shown.ended;
  });

function typed(
  argv: string,
  roles: readonly RoleName[],
  { objects = incident, ...options }: Served = {},
  act: (argument: string[], server: LiveServer) => Promise<void>,
): Run {
  return {
    name: `${argv} (${roles.join(', ')})`,
    command: commandOf(argv),
    roles,
    rights: () =>
      onServer(objects, options, (server) =>
        act(argv.replaceAll('DIR', server.directory).split(' '), server),
      ),
  };
}

async function onServer(
  objects: readonly KubernetesObject[],
  options: ServingOptions,
  act: (server: LiveServer) => Promise<void>,
): Promise<readonly UsedRight[]> {
  const server = await liveServer([...objects], { documents: openApi(), now: Date.now(), ...options });
  try {
    await act(server);
    return server.rights;
  } finally {
    server.close();
  }
}

const commandOf = (argv: string) =>
  COMMANDS.find((command) => argv.startsWith(command.replace(':', ' '))) ?? argv;

/** Runs in virtual time on a control plane that reacts. */
function reacting(
  command: string,
  roles: readonly RoleName[],
  work: (client: Client, plane: ReturnType<typeof createFakeControlPlane>) => Promise<unknown>,
  plane = () => createFakeControlPlane(twofold(), { start: START }),
): Run {
  return {
    name: `${command} in virtual time (${roles.join(', ')})`,
    command,
    roles,
    async rights() {
      const made = plane();
      const client = made.client();
      const rights: UsedRight[] = [];
      const noted = noting(client.server, client.openMirror, rights);
      await made.time.until(work({ ...client, ...noted }, made));
      return rights;
    },
  };
}

function withoutNamespace(binding: ResourceBinding): ResourceBinding {
  const { namespace: _namespace, ...metadata } = binding.metadata;
  const { namespace: _template, ...resource } = binding.spec.resource;
  const twin = {
    ...metadata,
    name: `all-${metadata.name}`,
    uid: `${metadata.uid}-all`,
    labels: {
      [PROPAGATION_POLICY_PERMANENT_ID_LABEL]: 'policy',
      [CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL]: `id-of-all-${metadata.name}`,
    },
  };
  return {
    ...binding,
    kind: 'ClusterResourceBinding' as ResourceBinding['kind'],
    metadata: twin,
    spec: { ...binding.spec, resource },
  };
}

/** Workloads that exist twice each, in a namespace and without one. */
function twofold(from = 0) {
  const { clusters, bindings } = smallScene(4);
  return scene(
    [...clusters],
    bindings.slice(from).flatMap((one) => [one, withoutNamespace(one)]),
  );
}

const configuration = v1_18.defaults;
/** A write of it is made without a watch event. */
const losing = (server: Client['server']) =>
  lyingServer(server, 'executes writes and loses its responses').server;
const drains = ({ server, ...client }: Client, signal?: AbortSignal) =>
  executeDrain(server, drainOptions(), { configuration, ...client, signal });

/** Our controllers on a cluster that is not ready, for three minutes. */
async function controls(client: Client, plane: ReturnType<typeof createFakeControlPlane>, version = '1.18') {
  plane.play({ type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } });
  const stop = new AbortController();
  plane.play({
    type: 'condition',
    cluster: 'member1',
    condition: { type: 'Ready', status: 'False', reason: 'Down' },
  });
  plane.time.plan(plane.time.now() + 3 * 60_000, () => stop.abort());
  await runOurs(client, {
    configuration: evicting(version, { 'resource-eviction-rate': 0.05 }),
    signal: stop.signal,
    conditions: version === 'proposal',
  });
}

const READER = ['reader', 'reader in karmada-cluster', 'reader in karmada-system'] as const;
const CHECKS = ['templates', 'doctor', 'history'] as const;
const ASSUME = '--assume Failover=true --karmada-version v1.18 --at 2026-09-01T09:00:00Z';
const CONTROLLERS =
  'controller run --assume controllers=none --feature-gates=Failover=true --enable-no-execute-taint-eviction=true --bind-address=0';
const CONTROLLER = ['controller', 'controller in karmada-system'] as const;

const RUNS: readonly Run[] = [
  line('failover status', READER),
  line('failover status --host-kubeconfig DIR/kubeconfig', [...READER, ...HOST]),
  until('failover status --watch', 'watch clustertaintpolicies.policy.karmada.io', READER),
  line('failover explain sts/ledger -n data', [...READER, ...CHECKS]),
  line('failover simulate --fail virginia', READER),
  line('failover simulate --apply test/commands/moved-policy.yaml', [...READER, 'templates']),
  line('failover audit', [...READER, 'templates']),
  line('failover audit --apply test/commands/moved-policy.yaml', [...READER, 'templates']),
  line('doctor', [...READER, ...CHECKS]),
  line('lint -f DIR/policy.json --kubeconfig DIR/kubeconfig', [...READER, 'templates']),
  line('taint-policy validate -f DIR/policy.json --kubeconfig DIR/kubeconfig', [...READER, 'templates']),
  until('exporter run --bind-address 127.0.0.1:0', 'watch works.work.karmada.io', READER),
  line('failover diff --from v1.13 --to v1.18 --fail virginia', [...READER, 'templates']),
  line('snapshot save DIR/state.json', [...READER, ...CHECKS]),
  line('eviction inspect -l app=checkout', [...READER, 'templates']),
  until('eviction inspect --watch', 'watch works.work.karmada.io', READER),
  line('eviction hold deployment/checkout -n shop', [...READER, 'operator']),
  line('eviction release rb/queue-deployment -n data', [...READER, 'operator']),
  line('eviction cancel deploy.apps/queue -n data --from oregon --allow-loss', [...READER, 'operator']),
  line('eviction complete deployment/checkout -n shop --allow-loss', [...READER, 'operator']),
  line('cordon tokyo', ['operator']),
  line('uncordon frankfurt', ['operator']),
  line('cordon tokyo', ['operator', 'webhooks'], { reverted: ['clusters.cluster.karmada.io'] }),
  line('drain oregon --dry-run', READER),
  line(`${DRAIN} --timeout 1s`, [...READER, 'operator']),
  line(`${DRAIN} --timeout 1s --report DIR/page.html`, [...READER, 'operator', 'history']),
  reacting('drain', [...READER, 'operator'], (client) => drains(client)),
  reacting('drain', [...READER, 'operator'], (client) =>
    drains({ ...client, server: losing(client.server) }).catch(() => undefined),
  ),
  reacting(
    'drain',
    [...READER, 'operator'],
    async (client, { time }) => {
      const stop = new AbortController();
      time.plan(time.now() + 60_000, () => stop.abort());
      await drains(client, stop.signal);
      const { server, pause } = client;
      await cancelDrain(server, ['member1'], { configuration, pause });
    },
    () => createFakeControlPlane(twofold(3), { start: START, members: { workloadReadyAfter: 5 * 60_000 } }),
  ),
  until('dashboard', 'get leases.coordination.k8s.io in karmada-system: karmada-failover-controller', [
    ...READER,
    ...CHECKS,
    'leases in karmada-system',
  ]),
  line('dashboard --plain', [...READER, ...CHECKS, 'leases in karmada-system']),
  line('record DIR/x.rec --for 1s', [...READER, 'templates', 'history']),
  line('timeline', [...READER, 'history']),
  line(`taint-policy list ${ASSUME}`, [...READER, 'templates'], { objects: policies }),
  line(`taint-policy explain network ${ASSUME}`, [...READER, 'templates'], { objects: policies }),
  line(
    `taint-policy apply -f DIR/policy.json --wait --timeout 1s ${ASSUME}`,
    [...READER, 'templates', 'policies', 'events in default'],
    { objects: policies },
  ),
  line(
    `taint-policy delete optimist network --with-taints --yes ${ASSUME}`,
    [...READER, 'templates', 'policies', 'operator'],
    { objects: policies },
  ),
  line('options', []),
  line('version', []),
  line('controller manifests --for karmada --karmada-version proposal --feature-gates=Failover=true', [
    'controller-crds',
  ]),
  until(
    CONTROLLERS,
    'update leases.coordination.k8s.io in karmada-system: karmada-failover-controller',
    CONTROLLER,
  ),
  until(CONTROLLERS, 'patch events in default', CONTROLLER, {
    objects: downed(),
    readOnly: ['clusters.cluster.karmada.io'],
  }),
  until(`${CONTROLLERS} --record DIR/x.rec`, 'watch events', [
    ...CONTROLLER,
    ...READER,
    'templates',
    'history',
  ]),
  line(CONTROLLERS.replace('--assume controllers=none ', ''), CONTROLLER),
  reacting(
    'controller:run',
    [...CONTROLLER, 'controller-conditions'],
    (client, plane) => controls(client, plane, 'proposal'),
    () => controlled('proposal'),
  ),
  {
    name: 'token and access reviews for metrics clients',
    command: 'controller:run',
    roles: ['controller-reviews'],
    async rights() {
      const rights: UsedRight[] = [];
      const status = { authenticated: true, user: { username: 'prometheus' }, allowed: true };
      const { server } = noting({ create: () => Promise.resolve({ status }) } as never, undefined, rights);
      const review = scraperReviews(server, { now: () => 0, onFailure: () => undefined });
      expect(await review({ headers: { authorization: 'Bearer token' } })).toBe('allowed');
      return rights;
    },
  },
  reacting('controller:run', CONTROLLER, controls, controlled),
  reacting(
    'controller:run',
    CONTROLLER,
    (client, plane) => controls({ ...client, server: losing(client.server) }, plane),
    controlled,
  ),
];

const textOf = ({ verb, resource, namespace, name }: UsedRight) =>
  `${verb} ${resource}${namespace === undefined || !/^(leases|events)/.test(resource) ? '' : ` in ${namespace}`}${name === undefined || !resource.startsWith('leases') ? '' : `: ${name}`}`;
const keyOf = (role: RoleName) => `karmada-failover-${role}`;
const covers = (right: UsedRight, used: UsedRight) =>
  right.verb === used.verb &&
  right.resource === used.resource &&
  (right.namespace === undefined || right.namespace === used.namespace) &&
  (right.name === undefined || right.name === used.name);

/** The rights that each of them needed; they wait more than they work. */
const needed = new Map<Run, readonly UsedRight[]>();
beforeAll(async () => {
  const waiting = [...RUNS];
  const worker = async () => {
    for (let run = waiting.shift(); run; run = waiting.shift()) {
      const rights = await run.rights();
      needed.set(run, rights);
      for (const right of rightsOf(run.roles))
        if (rights.some((used) => covers(right, used))) right.used = true;
    }
  };
  await Promise.all([worker(), worker(), worker()]);
});

const rightsOf = (roles: readonly RoleName[]) => roles.flatMap((role) => granted.get(keyOf(role)) ?? []);

describe('docs/rbac.yaml', () => {
  test.each(RUNS.map((run) => [run.name, run] as const))(
    'grants %s all the rights that it uses',
    (_, run) => {
      const own = rightsOf(run.roles);
      const rights = needed.get(run)!;
      const lacking = rights.filter((used) => !own.some((right) => covers(right, used))).map(textOf);
      expect([...new Set(lacking)]).toEqual([]);
    },
  );

  test.each([...granted.keys()])('grants in %s only rights that a command uses', (name) => {
    expect(granted.get(name)!.flatMap((right) => (right.used ? [] : textOf(right)))).toEqual([]);
  });

  test('is tested with every command that connects to a server', () => {
    expect(new Set(RUNS.map(({ command }) => command))).toEqual(new Set(COMMANDS));
  });
});
