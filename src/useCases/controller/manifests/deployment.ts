import type { AnyManifest } from './controlPlaneManifests.ts';

/** A program of ours in a Deployment. */
interface DeployedProgram {
  metadata: AnyManifest['metadata'] & { labels: Readonly<Record<string, string>> };
  /** what its Pods are selected by */
  selector: Readonly<Record<string, string>>;
  replicas: number;
  container: string;
  image: string;
  args: readonly string[];
  port: number;
  /** it serves with TLS */
  secure: boolean;
  /** at most: Node sizes its heap by it, and a node is not brought down by one Pod */
  memory: string;
  /** read-only */
  volumes: readonly { name: string; mountPath: string; source: Readonly<Record<string, unknown>> }[];
}

export const PORT_NAME = 'health';

/** Seconds to settle writes, write Events and release the Lease. */
const GRACE = 30;

/** Replicas on different nodes and in different zones, as far as there are such. */
const spread = (topologyKey: string, matchLabels: Readonly<Record<string, string>>) => ({
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' },
  labelSelector: { matchLabels },
});

/** A Deployment with probes, and as few rights on its node as it needs. */
export function deploymentOf(program: DeployedProgram): AnyManifest {
  const { metadata, selector, secure, volumes } = program;
  const probe = (path: string, failureThreshold: number) => ({
    httpGet: { path, port: PORT_NAME, ...(secure && { scheme: 'HTTPS' }) },
    ...{ periodSeconds: 10, timeoutSeconds: 5, failureThreshold },
  });
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
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

/** Who may reach the Pods, and whom they may: which port Karmada's API server and a proxy have, only the kubeconfig shows. */
export function networkPolicyOf({
  metadata,
  selector,
}: Pick<DeployedProgram, 'metadata' | 'selector'>): AnyManifest {
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata },
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: PORT_NAME }] }],
      // names are looked up
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
