import type { AnyManifest } from './controlPlaneManifests.ts';

/** One of our programs in a Deployment. */
interface DeployedProgram {
  metadata: AnyManifest['metadata'] & { labels: Readonly<Record<string, string>> };
  /** the labels that select its Pods */
  selector: Readonly<Record<string, string>>;
  replicas: number;
  container: string;
  image: string;
  args: readonly string[];
  port: number;
  /** it serves with TLS */
  secure: boolean;
  /** the memory limit: Node sizes its heap by it, and one Pod cannot bring down a node */
  memory: string;
  /** read-only */
  volumes: readonly { name: string; mountPath: string; source: Readonly<Record<string, unknown>> }[];
}

export const PORT_NAME = 'health';

/** Seconds to settle writes, write Events and release the Lease. */
const GRACE = 30;

/** Spreads replicas over nodes and zones where possible. */
const spread = (topologyKey: string, matchLabels: Readonly<Record<string, string>>) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels },
});

/** A Deployment with probes, and minimal rights on its node. */
export function deploymentOf(program: DeployedProgram): AnyManifest {
  const { metadata, selector, secure, volumes } = program;
  const probe = (path: string, failureThreshold: number) => ({
    httpGet: { path, port: PORT_NAME, ...(secure && { scheme: 'HTTPS' }) },
    periodSeconds: 10,
    timeoutSeconds: 5,
    failureThreshold,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: program.replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: metadata.labels },
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
              name: program.container,
              image: program.image,
              args: program.args,
              ports: [{ name: PORT_NAME, containerPort: program.port }],
              livenessProbe: probe('/healthz', 3),
              readinessProbe: probe('/readyz', 1),
              startupProbe: probe('/healthz', 12),
              resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: program.memory } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: volumes.map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
            },
          ],
          volumes: volumes.map(({ name, source }) => ({ name, ...source })),
        },
      },
    },
  };
}

/** The Pods' connections: out to any TCP port, as only the kubeconfig shows those of the API server and a proxy. */
export function networkPolicyOf({
  metadata,
  selector,
}: Pick<DeployedProgram, 'metadata' | 'selector'>): AnyManifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: PORT_NAME }] }],
      // DNS
      egress: [
        {
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 1, endPort: 65535 },
          ],
        },
      ],
    },
  };
}
