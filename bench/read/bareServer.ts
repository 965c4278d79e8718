import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, ApiError } from '../../test/e2e/controlPlane/api.ts';
import { binary } from '../../test/e2e/controlPlane/binaries.ts';
import { karmadaSources } from '../../test/e2e/controlPlane/goModules.ts';
import { createAuthority, createSigningKey, issue } from '../../test/e2e/controlPlane/certificates.ts';
import { writeKubeconfig } from '../../test/e2e/controlPlane/kubeconfig.ts';
import { crds } from '../../test/e2e/controlPlane/manifests.ts';
import { eventually, freePorts, start, stop } from '../../test/e2e/controlPlane/processes.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** An API server with Karmada's CRDs and no controllers. */
export interface BareServer {
  api: Api;
  kubeconfig: string;
  down(): Promise<void>;
}

/** Starts etcd and kube-apiserver of the test bed on free ports; the binaries must exist. */
export async function bareServer(): Promise<BareServer> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'karmada-failover-bench-'));
  const at = (file: string) => join(directory, file);
  const [client, peer, secure] = (await freePorts(3)) as [number, number, number];
  const token = randomBytes(16).toString('hex');
  const etcd = `http://127.0.0.1:${client}`;
  const server = `https://127.0.0.1:${secure}`;
  createAuthority(directory);
  createSigningKey(at('service-accounts.key'));
  await issue(directory, 'server', []);
  writeFileSync(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const processes = [
    start(directory, 'etcd', binary('etcd'), [
      `--data-dir=${at('etcd')}`,
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=default=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
      `--quota-backend-bytes=${2 ** 32}`,
      '--log-level=warn',
    ]),
    start(directory, 'apiserver', binary('kube-apiserver'), [
      `--etcd-servers=${etcd}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${secure}`,
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--disable-admission-plugins=StorageObjectInUseProtection,ServiceAccount,TaintNodesByCondition',
      '--authorization-mode=RBAC',
      `--token-auth-file=${at('tokens.csv')}`,
      `--client-ca-file=${at('ca.crt')}`,
      `--tls-cert-file=${at('server.crt')}`,
      `--tls-private-key-file=${at('server.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${at('service-accounts.key')}`,
      `--service-account-signing-key-file=${at('service-accounts.key')}`,
      '--profiling=false',
    ]),
  ];
  const kubeconfig = at('kubeconfig');
  writeKubeconfig(kubeconfig, [{ name: 'bare', server }], at('ca.crt'), token);
  const api = new Api({ server, ca: readFileSync(at('ca.crt'), 'utf8'), token });
  const down = async () => {
    api.close();
    await stop([...processes].reverse());
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await eventually('the API server', () => api.get('/readyz').then(() => true));
    await defineKarmada(api);
    return { api, kubeconfig, down };
  } catch (error) {
    await down();
    throw error;
  }
}

/** Karmada's kinds without its servers: no conversion, and clusters as a custom resource without a schema. */
export async function defineKarmada(api: Api): Promise<void> {
  const definitions = crds(karmadaSources(), '', '') as unknown as { spec: { conversion?: unknown } }[];
  for (const definition of definitions) {
    delete definition.spec.conversion;
    await api.create(DEFINITIONS, definition).catch(ignoreExisting);
  }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const clusters = {
    metadata: { name: 'clusters.cluster.karmada.io' },
    spec: {
      group: 'cluster.karmada.io',
      scope: 'Cluster',
      names: { plural: 'clusters', singular: 'cluster', kind: 'Cluster', listKind: 'ClusterList' },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema }],
    },
  };
  await api.create(DEFINITIONS, clusters).catch(ignoreExisting);
  for (const path of ['work.karmada.io/v1alpha2/resourcebindings', 'cluster.karmada.io/v1alpha1/clusters'])
    await eventually(path, () => api.get(`/apis/${path}?limit=1`).then(() => true));
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 409) throw error;
}
