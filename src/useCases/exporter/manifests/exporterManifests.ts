import {
  type AnyManifest,
  type PolicyRule,
  reviewRights,
} from '../../controller/manifests/controlPlaneManifests.ts';
import { LEADER_LEASES, STATE_KINDS, type StateKind } from '../../../state/live/stateKinds.ts';
import { deploymentOf, networkPolicyOf, PORT_NAME } from '../../controller/manifests/deployment.ts';
import { alertGroups } from './alerts.ts';
import { grafanaDashboard } from './grafana.ts';

/** The name of the exporter's accounts, roles and workloads. */
const EXPORTER = 'karmada-failover-exporter';

const labels = { 'app.kubernetes.io/name': EXPORTER, 'app.kubernetes.io/part-of': 'karmada' };
const selector = { 'app.kubernetes.io/name': EXPORTER };
const RBAC = 'rbac.authorization.k8s.io';

/** All rights of an exporter to Karmada's objects: those of karmada-failover-reader in docs/rbac.yaml. */
function readRights(kinds: readonly StateKind[], verbs: string[] = ['list', 'watch']): PolicyRule[] {
  return [...new Set(kinds.map(({ group }) => group))].map((group) => ({
    apiGroups: [group],
    resources: kinds.filter((kind) => kind.group === group).map(({ resource }) => resource),
    verbs,
  }));
}

interface ExporterManifestsRequest {
  namespace: string;
  image: string;
  port: number;
  /** the Secret with the kubeconfig for the Karmada API server, under the key kubeconfig */
  kubeconfigSecret: string;
  /** the Secret with the serving certificate */
  tlsSecret: string;
  /** the arguments with which a process runs, given the paths of its files */
  args: (files: { kubeconfig: string; certificate: { chain: string; key: string } }) => readonly string[];
}

/** The manifests of an exporter: for the Karmada API server, and for the cluster that runs Karmada. */
export function exporterManifests(
  request: ExporterManifestsRequest,
): Record<'karmada' | 'host', readonly AnyManifest[]> {
  return { karmada: rightsIn(request), host: programIn(request) };
}

function rightsIn({ namespace }: ExporterManifestsRequest): AnyManifest[] {
  const subjects = [{ kind: 'ServiceAccount', name: EXPORTER, namespace }];
  const bound = (kind: 'Role' | 'ClusterRole', metadata: AnyManifest['metadata'], rules: unknown) => [
    { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
    {
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind, name: EXPORTER },
      subjects,
    },
  ];
  const whole = STATE_KINDS.filter(({ inNamespace }) => inNamespace === undefined);
  const namespaced = STATE_KINDS.filter(({ inNamespace }) => inNamespace !== undefined);
  const inNamespaces = [
    ...namespaced.map((kind) => ({ kind, rules: readRights([kind]) })),
    // read periodically, but not watched
    { kind: LEADER_LEASES, rules: readRights([LEADER_LEASES], ['list']) },
  ];
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: EXPORTER, namespace, labels },
      automountServiceAccountToken: false,
    },
    ...bound('ClusterRole', { name: EXPORTER, labels }, [...readRights(whole), ...reviewRights]),
    ...inNamespaces.flatMap(({ kind, rules }) =>
      bound('Role', { name: EXPORTER, namespace: kind.inNamespace!, labels }, rules),
    ),
    // for the account of Prometheus, and of people who open the page
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: `${EXPORTER}-metrics-reader`, labels },
      rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: `${EXPORTER}-page-reader`, labels },
      rules: [{ nonResourceURLs: ['/', '/api/audit'], verbs: ['get'] }],
    },
  ];
}

const KUBECONFIG = '/etc/karmada-failover/kubeconfig';
const TLS = '/etc/karmada-failover/tls';

function programIn({
  namespace,
  image,
  port,
  kubeconfigSecret,
  tlsSecret,
  args,
}: ExporterManifestsRequest): AnyManifest[] {
  const metadata = { name: EXPORTER, namespace, labels };
  const program = { metadata, selector };
  return [
    deploymentOf({
      ...program,
      replicas: 1,
      container: 'exporter',
      image,
      port,
      secure: true,
      memory: '4Gi',
      args: args({
        kubeconfig: `${KUBECONFIG}/kubeconfig`,
        certificate: { chain: `${TLS}/tls.crt`, key: `${TLS}/tls.key` },
      }),
      volumes: [
        { name: 'kubeconfig', mountPath: KUBECONFIG, source: { secret: { secretName: kubeconfigSecret } } },
        { name: 'tls', mountPath: TLS, source: { secret: { secretName: tlsSecret } } },
      ],
    }),
    networkPolicyOf(program),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'metrics', port, targetPort: PORT_NAME }] },
    },
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata,
      spec: {
        selector: { matchLabels: selector },
        endpoints: [
          {
            port: 'metrics',
            scheme: 'https',
            interval: '30s',
            // a token of an account of the Karmada API server that is bound to karmada-failover-exporter-metrics-reader
            authorization: { credentials: { name: `${EXPORTER}-scrape`, key: 'token' } },
            tlsConfig: {
              serverName: `${EXPORTER}.${namespace}.svc`,
              ca: { secret: { name: tlsSecret, key: 'ca.crt' } },
            },
          },
        ],
      },
    },
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata,
      spec: { groups: alertGroups },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        ...metadata,
        name: `${EXPORTER}-dashboard`,
        labels: { ...labels, grafana_dashboard: '1' },
      },
      data: { 'karmada-failover.json': `${JSON.stringify(grafanaDashboard, null, 2)}\n` },
    },
  ];
}
