import { labels, NAME, type AnyManifest } from './controlPlaneManifests.ts';

const alert = (name: string, expr: string, minutes: number, severity: string, summary: string) => ({
  alert: name,
  expr,
  for: `${minutes}m`,
  labels: { severity },
  annotations: { summary },
});

/** Rules for Prometheus about the controllers, by the metrics that they serve. */
const alertRules = [
  {
    name: NAME,
    rules: [
      alert(
        'KarmadaFailoverNoLeader',
        `absent(leader_election_master_status{name="${NAME}"} == 1)`,
        ...([2, 'critical', 'No failover controller leads: nothing is tainted or evicted.'] as const),
      ),
      alert(
        'KarmadaFailoverTwoLeaders',
        `sum(leader_election_master_status{name="${NAME}"}) > 1`,
        ...([1, 'critical', 'More than one failover controller says that it leads.'] as const),
      ),
      alert(
        'KarmadaFailoverEvictionsFail',
        'rate(eviction_processing_total{result="error"}[5m]) > 0',
        ...([10, 'warning', 'Evictions have failed for ten minutes.'] as const),
      ),
      alert(
        'KarmadaFailoverQueueGrows',
        'eviction_queue_depth > 0 and delta(eviction_queue_depth[10m]) >= 0',
        ...([15, 'warning', 'Workloads wait for their eviction, and the queue gets no shorter.'] as const),
      ),
      alert(
        'KarmadaFailoverLeaseLost',
        'increase(karmada_failover_leadership_lost_total[15m]) > 1',
        ...([1, 'warning', 'The Lease was lost more than once in a quarter of an hour.'] as const),
      ),
    ],
  },
];

/** Where the files of a process are in its container. */
export interface ContainerFiles {
  config: string;
  kubeconfig: string;
  /** of its server; absent: it serves without TLS */
  certificate?: { chain: string; key: string };
}

export interface HostOptions {
  namespace: string;
  image: string;
  replicas: number;
  /** the Secret with the kubeconfig for the Karmada API server, under the key kubeconfig */
  kubeconfigSecret: string;
  /** the Secret with the certificate to serve with, under the keys tls.crt and tls.key; undefined: nobody outside of the Pod gets the metrics */
  tlsSecret: string | undefined;
  /** the configuration file */
  settings: Readonly<Record<string, unknown>>;
  /** the arguments with which a process runs the controllers, given where its files are */
  args: (files: ContainerFiles) => readonly string[];
}

const PORT = 10357;
const PORT_NAME = 'health';
const CONFIG = '/etc/karmada-failover/config';
const KUBECONFIG = '/etc/karmada-failover/kubeconfig';
const TLS = '/etc/karmada-failover/tls';
/** Seconds to settle writes, write Events and release the Lease. */
const GRACE = 30;
/** At most: Node sizes its heap by it, and a node is not brought down by one Pod. */
const MEMORY = '1Gi';

/** Replicas on different nodes and in different zones, as far as there are such. */
const spread = (topologyKey: string, matchLabels: Readonly<Record<string, string>>) => ({
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' },
  labelSelector: { matchLabels },
});

/** For the cluster that Karmada's components run in: the controllers as a Deployment, and what goes with it. */
export function hostManifests(options: HostOptions): AnyManifest[] {
  const { namespace, image, replicas, kubeconfigSecret, tlsSecret, settings, args } = options;
  const secure = tlsSecret !== undefined;
  const metadata = { name: NAME, namespace, labels };
  const selector = { 'app.kubernetes.io/name': NAME };
  const probe = (path: string, failureThreshold: number) => ({
    httpGet: { path, port: PORT_NAME, ...(secure && { scheme: 'HTTPS' }) },
    ...{ periodSeconds: 10, timeoutSeconds: 5, failureThreshold },
  });
  return [
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata },
      data: { 'controller.yaml': `${JSON.stringify(settings, null, 2)}\n` },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
      spec: {
        replicas,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            terminationGracePeriodSeconds: GRACE,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            topologySpreadConstraints: [
              spread('kubernetes.io/hostname', selector),
              spread('topology.kubernetes.io/zone', selector),
            ],
            containers: [
              {
                name: 'controller',
                image,
                args: args({
                  config: `${CONFIG}/controller.yaml`,
                  kubeconfig: `${KUBECONFIG}/kubeconfig`,
                  ...(secure && { certificate: { chain: `${TLS}/tls.crt`, key: `${TLS}/tls.key` } }),
                }),
                ports: [{ name: PORT_NAME, containerPort: PORT }],
                livenessProbe: probe('/healthz', 3),
                readinessProbe: probe('/readyz', 1),
                startupProbe: probe('/healthz', 12),
                resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: MEMORY } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
                volumeMounts: [
                  { name: 'config', mountPath: CONFIG, readOnly: true },
                  { name: 'kubeconfig', mountPath: KUBECONFIG, readOnly: true },
                  ...(secure ? [{ name: 'tls', mountPath: TLS, readOnly: true }] : []),
                ],
              },
            ],
            volumes: [
              { name: 'config', configMap: { name: NAME } },
              { name: 'kubeconfig', secret: { secretName: kubeconfigSecret } },
              ...(secure ? [{ name: 'tls', secret: { secretName: tlsSecret } }] : []),
            ],
          },
        },
      },
    },
    {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata },
      spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
    },
    {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata },
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ ports: [{ protocol: 'TCP', port: PORT_NAME }] }],
        // names are looked up; which port Karmada's API server and a proxy have, only the kubeconfig shows
        egress: [
          {
            ports: [
              { protocol: 'UDP', port: 53 },
              { protocol: 'TCP', port: 1, endPort: 65535 },
            ],
          },
        ],
      },
    },
    ...(secure ? monitoring(metadata, selector) : []),
  ];
}

/** What Prometheus finds the metrics by, and its alerts. */
function monitoring(
  metadata: AnyManifest['metadata'],
  selector: Readonly<Record<string, string>>,
): AnyManifest[] {
  return [
    {
      ...{ apiVersion: 'v1', kind: 'Service' },
      metadata: {
        ...metadata,
        annotations: {
          'prometheus.io/scrape': 'true',
          'prometheus.io/port': String(PORT),
          'prometheus.io/scheme': 'https',
        },
      },
      spec: { selector, ports: [{ name: 'metrics', port: PORT, targetPort: PORT_NAME }] },
    },
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { ...metadata, name: `${NAME}-alerts` },
      data: { 'karmada-failover.rules.yaml': `${JSON.stringify({ groups: alertRules }, null, 2)}\n` },
    },
  ];
}
