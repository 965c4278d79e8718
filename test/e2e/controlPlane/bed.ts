import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Api, type Access } from './api.ts';
import { binary, type Build, type Component } from './binaries.ts';
import { createAuthority, createSigningKey, issue } from './certificates.ts';
import { karmadaSources, karmadaVersion, pinned } from './goModules.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { crds, webhookConfigurations } from './manifests.ts';
import { widgetDefinition, widgetInterpreter } from './widget.ts';
import { eventually, freePorts, identify, isRunning, kill, lastWords, start, stop } from './processes.ts';
import type { BedProcess, ProcessIdentity } from './processes.ts';

export interface Member {
  name: string;
  syncMode: 'Push' | 'Pull';
  region: string;
  provider: string;
  /** of its Cluster, set when it joined */
  labels?: Record<string, string>;
  /** how many Pods fit on its one node */
  podsPerNode?: number;
}

export interface BedOptions {
  members: Member[];
  /** flags of the controller-manager, in addition to those that the test bed needs */
  controllerManager: Record<string, string>;
  /** for controller-manager and scheduler */
  featureGates: Record<string, boolean>;
  /** seconds until new replicas are ready in the members, unless the workload's annotation says otherwise */
  readyAfter: number;
  /** flags of the agents of Pull members */
  agent?: Record<string, string>;
  /** whether workloads have Pods in the members, which use capacity */
  pods?: boolean;
  /** whether Karmada and the members know the custom resource of members/playedKinds.ts */
  widgets?: boolean;
  /** how Karmada's own components are built; default: as released */
  build?: Build;
  /** whether orphans are garbage-collected, and terminating namespaces removed */
  garbageCollection?: boolean;
  /** the same in the members */
  garbageCollectionInMembers?: boolean;
}

export const defaultOptions: BedOptions = {
  members: [
    { name: 'member1', syncMode: 'Push', region: 'eu', provider: 'alpha' },
    { name: 'member2', syncMode: 'Push', region: 'eu', provider: 'alpha' },
    { name: 'member3', syncMode: 'Push', region: 'us', provider: 'beta' },
    { name: 'member4', syncMode: 'Pull', region: 'us', provider: 'beta' },
  ],
  controllerManager: {
    'enable-no-execute-taint-eviction': 'true',
    'graceful-eviction-timeout': '1m',
    'cluster-status-update-frequency': '5s',
    'cluster-failure-threshold': '10s',
    'cluster-success-threshold': '10s',
  },
  featureGates: { Failover: true, StatefulFailoverInjection: true },
  readyAfter: 8,
};

/** The content of bed.json: everything that another process needs to use the test bed and to take it down. */
export interface BedFile {
  directory: string;
  /** the version of Karmada */
  karmada: string;
  options: BedOptions;
  token: string;
  caFile: string;
  /** server by name: "karmada" and the members */
  servers: Record<string, string>;
  processes: BedProcess[];
  /** who takes it down at the end; absent if it stays up */
  runner?: ProcessIdentity;
}

const KARMADA = 'karmada';
const AGGREGATED = 'karmada-aggregated-apiserver';
const SYSTEM = 'karmada-system';
const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const CUSTOMIZATIONS = '/apis/config.karmada.io/v1alpha1/resourceinterpretercustomizations';

/** A Karmada control plane with its members, all as processes on this machine. */
export class Bed {
  readonly file: BedFile;
  readonly #apis = new Map<string, Api>();

  constructor(file: BedFile) {
    this.file = file;
  }

  /** The bed that another process started. */
  static at(directory: string): Bed {
    return new Bed(JSON.parse(readFileSync(join(directory, 'bed.json'), 'utf8')) as BedFile);
  }

  get kubeconfig(): string {
    return join(this.file.directory, 'kubeconfig');
  }

  /** How to reach Karmada, or a member. */
  access(server: string = KARMADA): Access {
    const url = this.file.servers[server];
    if (!url) throw new Error(`the test bed has no ${server}`);
    return { server: url, ca: readFileSync(this.file.caFile, 'utf8'), token: this.file.token };
  }

  /** A client of Karmada's API server, or of a member's. */
  api(server: string = KARMADA): Api {
    const known = this.#apis.get(server) ?? new Api(this.access(server));
    this.#apis.set(server, known);
    return known;
  }

  process(name: string): BedProcess {
    const found = this.file.processes.find((entry) => entry.name === name);
    if (!found) throw new Error(`the test bed has no process ${name}`);
    return found;
  }

  start(name: string, command: string, args: string[]): void {
    const { directory, processes } = this.file;
    this.file.processes = [
      ...processes.filter((entry) => entry.name !== name),
      start(directory, name, command, args),
    ];
    this.save();
  }

  /** Kills a process, for example `member1-apiserver`. */
  async kill(name: string): Promise<void> {
    await kill(this.process(name));
  }

  /** Restarts a killed process. */
  restart(name: string): void {
    const { command, args } = this.process(name);
    this.start(name, command, args);
  }

  /** Fails, with their last output, if processes have ended by themselves. */
  check(names = this.file.processes.map(({ name }) => name)): void {
    const dead = names.map((name) => this.process(name)).filter((entry) => !isRunning(entry));
    if (dead.length > 0) throw new Error(`ended: ${dead.map((entry) => lastWords(entry)).join('\n')}`);
  }

  close(): void {
    for (const api of this.#apis.values()) api.close();
    this.#apis.clear();
  }

  /** Ends every process and removes the directory, or only etcd's data. */
  async down({ keepFiles = Boolean(process.env.E2E_KEEP_FILES) } = {}): Promise<void> {
    this.close();
    const processes = [...this.file.processes].reverse();
    await stop(processes.filter(({ name }) => name !== 'etcd'));
    await stop(processes);
    const { directory } = this.file;
    rmSync(keepFiles ? join(directory, 'etcd') : directory, { recursive: true, force: true });
  }

  save(): void {
    const target = join(this.file.directory, 'bed.json');
    writeFileSync(`${target}.new`, JSON.stringify(this.file, undefined, 2), { mode: 0o600 });
    renameSync(`${target}.new`, target);
  }
}

/** Writes a line to stderr. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Starts etcd, Karmada in the version under test and its members on free ports of 127.0.0.1, and waits until every cluster is ready. The
 * binaries must have been built.
 * @param log called with each milestone, and the seconds until then
 * @param staysUp whether it outlives the process that started it; otherwise the next run takes it down if this one is killed
 */
export async function up(options: BedOptions, log = say, staysUp = false): Promise<Bed> {
  const began = performance.now();
  const reached = (what: string) => log(`${((performance.now() - began) / 1000).toFixed(1)} s ${what}`);
  const name = process.env.E2E_BED_NAME ?? 'bed';
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `karmada-failover-e2e-${name}-`));
  const names = options.members.map(({ name }) => name);
  const [etcd = 0, peer = 0, webhook = 0, aggregated = 0, ...apiPorts] = await freePorts(5 + names.length);
  const ports = Object.fromEntries([KARMADA, ...names].map((name, i) => [name, apiPorts[i] ?? 0]));
  const bed = new Bed({
    directory,
    karmada: karmadaVersion(),
    options,
    token: randomBytes(16).toString('hex'),
    caFile: join(directory, 'ca.crt'),
    servers: Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [name, `https://127.0.0.1:${port}`]),
    ),
    processes: [],
    ...(staysUp ? {} : { runner: identify(Number(process.env.E2E_RUNNER ?? process.pid)) }),
  });
  const interrupted = () => void bed.down().finally(() => process.exit(130));
  process.once('SIGINT', interrupted);
  try {
    await bringUp(bed, { etcd, peer, webhook, aggregated, api: ports }, reached);
    return bed;
  } catch (error) {
    const dead = bed.file.processes.filter((entry) => !isRunning(entry)).map((entry) => lastWords(entry));
    await bed.down({ keepFiles: true });
    const message = error instanceof Error ? error.message : String(error);
    throw new Error([message, ...dead, `logs are in ${directory}`].join('\n'), { cause: error });
  } finally {
    process.off('SIGINT', interrupted);
  }
}

interface Ports {
  etcd: number;
  peer: number;
  webhook: number;
  aggregated: number;
  api: Record<string, number>;
}

async function bringUp(bed: Bed, ports: Ports, reached: (what: string) => void): Promise<void> {
  const { directory, options, token, caFile } = bed.file;
  const at = (file: string) => join(directory, file);
  const etcdServer = `http://127.0.0.1:${ports.etcd}`;
  const run = (component: Component, flags: Flags, name: string = component) =>
    bed.start(name, binary(component, options.build), toArgs(flags));

  run('etcd', {
    'data-dir': at('etcd'),
    'listen-client-urls': etcdServer,
    'advertise-client-urls': etcdServer,
    'listen-peer-urls': `http://127.0.0.1:${ports.peer}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${ports.peer}`,
    'initial-cluster': `default=http://127.0.0.1:${ports.peer}`,
    'unsafe-no-fsync': 'true',
    'quota-backend-bytes': String(2 ** 32),
    'log-level': 'warn',
  });
  createAuthority(directory);
  createSigningKey(at('service-accounts.key'));
  await Promise.all([
    issue(directory, 'server', [`${AGGREGATED}.${SYSTEM}.svc`]),
    issue(directory, 'front-proxy', []),
  ]);
  writeFileSync(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  writeKubeconfig(bed.kubeconfig, servers(bed), caFile, token);
  for (const entry of servers(bed)) writeKubeconfig(at(`${entry.name}.kubeconfig`), [entry], caFile, token);

  for (const [name, port] of Object.entries(ports.api))
    run(
      'kube-apiserver',
      {
        'etcd-servers': etcdServer,
        'etcd-prefix': `/${name}`,
        'bind-address': '127.0.0.1',
        'advertise-address': '127.0.0.1',
        'secure-port': String(port),
        'endpoint-reconciler-type': 'none',
        'service-cluster-ip-range': '10.96.0.0/16',
        // no controller here approves of objects in use, service accounts or nodes
        'disable-admission-plugins': 'StorageObjectInUseProtection,ServiceAccount,TaintNodesByCondition',
        'authorization-mode': 'RBAC',
        'token-auth-file': at('tokens.csv'),
        'client-ca-file': caFile,
        'tls-cert-file': at('server.crt'),
        'tls-private-key-file': at('server.key'),
        'service-account-issuer': 'https://kubernetes.default.svc',
        'service-account-key-file': at('service-accounts.key'),
        'service-account-signing-key-file': at('service-accounts.key'),
        'proxy-client-cert-file': at('front-proxy.crt'),
        'proxy-client-key-file': at('front-proxy.key'),
        'requestheader-client-ca-file': caFile,
        'requestheader-allowed-names': 'front-proxy',
        'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
        'requestheader-group-headers': 'X-Remote-Group',
        'requestheader-username-headers': 'X-Remote-User',
        profiling: 'false',
      },
      `${name}-apiserver`,
    );
  await ready(bed, KARMADA);
  reached('Karmada’s API server is ready');

  const api = bed.api();
  const caBundle = readFileSync(caFile).toString('base64');
  const webhook = `https://127.0.0.1:${ports.webhook}`;
  const sources = options.build === 'designed' ? karmadaSources(pinned) : karmadaSources();
  for (const name of [SYSTEM, 'karmada-cluster'])
    await api.create('/api/v1/namespaces', { metadata: { name } });
  run(AGGREGATED, {
    kubeconfig: at('karmada.kubeconfig'),
    'authentication-kubeconfig': at('karmada.kubeconfig'),
    'authorization-kubeconfig': at('karmada.kubeconfig'),
    'etcd-servers': etcdServer,
    'etcd-prefix': '/karmada-aggregated',
    'bind-address': '127.0.0.1',
    'secure-port': String(ports.aggregated),
    'tls-cert-file': at('server.crt'),
    'tls-private-key-file': at('server.key'),
  });
  run('karmada-webhook', {
    kubeconfig: at('karmada.kubeconfig'),
    'bind-address': '127.0.0.1',
    'secure-port': String(ports.webhook),
    'cert-dir': directory,
    'tls-cert-file-name': 'server.crt',
    'tls-private-key-file-name': 'server.key',
    'metrics-bind-address': '0',
    'health-probe-bind-address': '127.0.0.1:0',
    'allow-no-execute-taint-policy': 'true',
    'feature-gates': gates(options),
  });
  await api.create(`/api/v1/namespaces/${SYSTEM}/services`, {
    metadata: { name: AGGREGATED },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await api.create('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1alpha1.cluster.karmada.io' },
    spec: {
      group: 'cluster.karmada.io',
      version: 'v1alpha1',
      groupPriorityMinimum: 2000,
      versionPriority: 10,
      caBundle,
      service: { name: AGGREGATED, namespace: SYSTEM, port: ports.aggregated },
    },
  });
  const definitions = crds(sources, webhook, caBundle);
  const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await Promise.all(definitions.map((crd) => api.create(crdPath, crd)));
  await eventually('Karmada’s CRDs', async () => {
    const { items } = await api.list(crdPath);
    return items.length === definitions.length && items.every((crd) => isTrue(crd, 'Established'));
  });
  if (options.widgets) {
    await api.create(crdPath, widgetDefinition);
    await api.create(CUSTOMIZATIONS, widgetInterpreter);
  }
  await eventually('cluster.karmada.io', () => api.list(CLUSTERS));
  await eventually('karmada-webhook', () => answers(new Api({ ...bed.access(), server: webhook })));
  for (const configuration of webhookConfigurations(sources, webhook, caBundle)) {
    const plural = `${configuration.kind.toLowerCase()}s`;
    await api.create(`/apis/admissionregistration.k8s.io/v1/${plural}`, configuration);
  }
  reached('Karmada’s API is complete');

  const collectGarbageOf = (server: string, name?: string) =>
    run(
      'kube-controller-manager',
      {
        kubeconfig: at(`${server}.kubeconfig`),
        controllers: 'garbagecollector,namespace',
        'leader-elect': 'false',
        'secure-port': '0',
      },
      name,
    );
  if (options.garbageCollection) collectGarbageOf(KARMADA);
  const unserved = { 'metrics-bind-address': '0', 'health-probe-bind-address': '0', 'leader-elect': 'false' };
  run('karmada-controller-manager', {
    kubeconfig: at('karmada.kubeconfig'),
    ...unserved,
    'feature-gates': gates(options),
    ...options.controllerManager,
  });
  run('karmada-scheduler', {
    kubeconfig: at('karmada.kubeconfig'),
    ...unserved,
    'feature-gates': gates(options),
    // document 001 deprecates it
    ...(options.build === 'designed' ? { plugins: '*,-ClusterEviction' } : {}),
  });
  for (const member of options.members) {
    const { name, syncMode, region, provider } = member;
    await ready(bed, name);
    if (options.garbageCollectionInMembers) collectGarbageOf(name, `${name}-kube-controller-manager`);
    await bed.api(name).create('/api/v1/nodes', node(`${name}-node`, member.podsPerNode));
    if (options.widgets) await bed.api(name).create(crdPath, widgetDefinition);
    if (syncMode === 'Push') await joinCluster(bed, member, caBundle);
    else
      run(
        'karmada-agent',
        {
          kubeconfig: at(`${name}.kubeconfig`),
          'karmada-kubeconfig': at('karmada.kubeconfig'),
          'karmada-context': KARMADA,
          'cluster-name': name,
          'cluster-api-endpoint': bed.access(name).server,
          'cluster-region': region,
          'cluster-provider': provider,
          'report-secrets': 'None',
          'cluster-status-update-frequency':
            options.controllerManager['cluster-status-update-frequency'] ?? '10s',
          ...options.agent,
          ...unserved,
        },
        `${name}-agent`,
      );
  }
  // without a kind to play it would exit, and look as if it had failed
  if (options.members.length > 0)
    bed.start('members', process.execPath, [
      resolve('scripts/run-ts.mjs'),
      resolve('test/e2e/members/run.ts'),
      directory,
    ]);
  reached('all components have been started');
  await eventually('ready clusters', async () => {
    bed.check();
    const { items } = await api.list(CLUSTERS);
    return items.length === options.members.length && items.every((cluster) => isTrue(cluster, 'Ready'));
  });
  for (const { name, labels } of options.members)
    if (labels) await api.merge(`${CLUSTERS}/${name}`, { metadata: { labels } });
  reached('all clusters are ready');
}

type Flags = Record<string, string>;

function toArgs(flags: Flags): string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

function gates({ featureGates }: BedOptions): string {
  return Object.entries(featureGates)
    .map(([gate, on]) => `${gate}=${on}`)
    .join(',');
}

function servers(bed: Bed): { name: string; server: string }[] {
  return Object.entries(bed.file.servers).map(([name, server]) => ({ name, server }));
}

async function ready(bed: Bed, server: string): Promise<void> {
  await eventually(`the API server of ${server}`, async () => {
    bed.check([`${server}-apiserver`]);
    return bed.api(server).get('/readyz');
  });
}

/** Whether a server answers there, even if only that the path is unknown. */
async function answers(api: Api): Promise<true> {
  try {
    await api.get('/readyz');
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error;
  } finally {
    api.close();
  }
  return true;
}

/** Joins a Push member with the result of `karmadactl join`. */
async function joinCluster(bed: Bed, { name, region, provider }: Member, caBundle: string): Promise<void> {
  const reference = { namespace: 'karmada-cluster', name };
  await bed.api().create('/api/v1/namespaces/karmada-cluster/secrets', {
    metadata: { name },
    data: { token: Buffer.from(bed.file.token).toString('base64'), caBundle },
  });
  await bed.api().create(CLUSTERS, {
    metadata: { name },
    spec: {
      syncMode: 'Push',
      apiEndpoint: bed.access(name).server,
      secretRef: reference,
      impersonatorSecretRef: reference,
      region,
      provider,
    },
  });
}

function node(name: string, pods = 110) {
  const resources = { cpu: '16', memory: '64Gi', pods: String(pods), 'ephemeral-storage': '100Gi' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  return { metadata: { name }, status: { capacity: resources, allocatable: resources, conditions } };
}

function isTrue(object: unknown, type: string): boolean {
  const { status } = object as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.some((entry) => entry.type === type && entry.status === 'True') ?? false;
}
