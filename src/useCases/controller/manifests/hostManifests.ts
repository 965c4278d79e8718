import { labels, CONTROLLER_NAME, type AnyManifest } from './controlPlaneManifests.ts';
import { deploymentOf, networkPolicyOf, PORT_NAME } from './deployment.ts';

const alert = (name: string, expr: string, minutes: number, severity: string, summary: string) => ({
  alert: name,
  expr,
  for: `${minutes}m`,
  labels: { severity },
  annotations: { summary },
});

/** Prometheus rules about the controllers, based on the metrics that they serve. */
const alertRules = [
  {
    name: CONTROLLER_NAME,
    rules: [
      alert(
        'KarmadaFailoverNoLeader',
        `absent(leader_election_master_status{name="${CONTROLLER_NAME}"} == 1)`,
        ...([2, 'critical', 'No failover controller leads: nothing is tainted or evicted.'] as const),
      ),
      alert(
        'KarmadaFailoverTwoLeaders',
        `sum(leader_election_master_status{name="${CONTROLLER_NAME}"}) > 1`,
        ...([1, 'critical', 'More than one failover controller claims to lead.'] as const),
      ),
      alert(
        'KarmadaFailoverEvictionsFail',
        'rate(eviction_processing_total{result="error"}[5m]) > 0',
        ...([10, 'warning', 'Evictions have failed for ten minutes.'] as const),
      ),
      alert(
        'KarmadaFailoverQueueGrows',
        'eviction_queue_depth > 0 and delta(eviction_queue_depth[10m]) >= 0',
        ...([15, 'warning', 'Workloads wait for their eviction, and the queue does not shrink.'] as const),
      ),
      alert(
        'KarmadaFailoverLeaseLost',
        'increase(karmada_failover_leadership_lost_total[15m]) > 1',
        ...([1, 'warning', 'The Lease was lost more than once in a quarter of an hour.'] as const),
      ),
    ],
  },
];

/** The paths of a process's files in its container. */
interface ContainerFiles {
  config: string;
  kubeconfig: string;
  /** the server's certificate; absent: no TLS */
  certificate?: { chain: string; key: string };
}

export interface HostOptions {
  namespace: string;
  image: string;
  replicas: number;
  /** the Secret with the kubeconfig for the Karmada API server, under the key kubeconfig */
  kubeconfigSecret: string;
  /** the Secret with the serving certificate (tls.crt, tls.key); undefined: metrics only inside the Pod */
  tlsSecret: string | undefined;
  /** the configuration file */
  settings: Readonly<Record<string, unknown>>;
  /** the arguments with which a process runs the controllers, given the paths of its files */
  args: (files: ContainerFiles) => readonly string[];
}

const PORT = 10357;
const CONFIG = '/etc/karmada-failover/config';
const KUBECONFIG = '/etc/karmada-failover/kubeconfig';
const TLS = '/etc/karmada-failover/tls';
const MEMORY = '1Gi';

/** For the cluster that Karmada's components run in: the controllers as a Deployment, and supporting objects. */
export function hostManifests(options: HostOptions): AnyManifest[] {
  const { namespace, image, replicas, kubeconfigSecret, tlsSecret, settings, args } = options;
  const secure = tlsSecret !== undefined;
  const metadata = { name: CONTROLLER_NAME, namespace, labels };
  const selector = { 'app.kubernetes.io/name': CONTROLLER_NAME };
  const program = { metadata, selector };
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'controller.yaml': `${JSON.stringify(settings, null, 2)}\n` },
    },
    deploymentOf({
      ...program,
      replicas,
      container: 'controller',
      image,
      port: PORT,
      secure,
      memory: MEMORY,
      args: args({
        config: `${CONFIG}/controller.yaml`,
        kubeconfig: `${KUBECONFIG}/kubeconfig`,
        ...(secure && { certificate: { chain: `${TLS}/tls.crt`, key: `${TLS}/tls.key` } }),
      }),
      volumes: [
        { name: 'config', mountPath: CONFIG, source: { configMap: { name: CONTROLLER_NAME } } },
        { name: 'kubeconfig', mountPath: KUBECONFIG, source: { secret: { secretName: kubeconfigSecret } } },
        ...(secure ? [{ name: 'tls', mountPath: TLS, source: { secret: { secretName: tlsSecret } } }] : []),
      ],
    }),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
    },
    networkPolicyOf(program),
    ...(secure ? monitoring(metadata, selector) : []),
  ];
}

/** The objects by which Prometheus finds the metrics, and its alerts. */
function monitoring(
  metadata: AnyManifest['metadata'],
  selector: Readonly<Record<string, string>>,
): AnyManifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
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
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: `${CONTROLLER_NAME}-alerts` },
      data: { 'karmada-failover.rules.yaml': `${JSON.stringify({ groups: alertRules }, null, 2)}\n` },
    },
  ];
}
