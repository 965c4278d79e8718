import type { Component, FlagType } from './flags.ts';
import { valueAt, releasesText, type Values } from './history.ts';
import type { Release } from './release.ts';

/** Flags that no rule of ours reads; knowing them distinguishes them from typos. */
interface OtherFlags {
  always: readonly string[];
  /** by the release that introduced them */
  from?: Record<string, readonly string[]>;
  /** by the release that removed them */
  before?: Record<string, readonly string[]>;
}

/** Flags of every component: profiling, limits of its client, klog. */
const COMMON = [
  ...['help', 'enable-pprof', 'profiling-bind-address', 'kube-api-qps', 'kube-api-burst', 'kubeconfig'],
  ...['add-dir-header', 'alsologtostderr', 'log-backtrace-at', 'log-dir', 'log-file', 'log-file-max-size'],
  ...['logtostderr', 'one-output', 'skip-headers', 'skip-log-headers', 'stderrthreshold', 'v', 'vmodule'],
];

const RATE_LIMITER = [
  ...['rate-limiter-base-delay', 'rate-limiter-max-delay', 'rate-limiter-qps', 'rate-limiter-bucket-size'],
];

const LOGGING = {
  'v1.15.0': [
    ...['logging-format', 'log-flush-frequency', 'log-text-split-stream', 'log-text-info-buffer-size'],
    ...['log-json-split-stream', 'log-json-info-buffer-size'],
  ],
};

const ELECTION_DETAILS = [
  ...['leader-elect-renew-deadline', 'leader-elect-retry-period', 'leader-elect-resource-namespace'],
];
const LEADER_ELECTION = ['leader-elect', 'leader-elect-lease-duration', ...ELECTION_DETAILS];

/** Flags of the controller manager and the agent, which share controllers. */
const CONTROLLERS = [
  ...['cluster-api-qps', 'cluster-api-burst', 'cluster-cache-sync-timeout', 'resync-period'],
  ...['concurrent-cluster-syncs', 'concurrent-work-syncs', 'enable-cluster-resource-modeling'],
  ...['metrics-bind-address'],
];

/** Flags of the components that call estimators. */
const ESTIMATOR_CERTIFICATES = [
  ...['insecure-skip-estimator-verify', 'scheduler-estimator-ca-file'],
  ...['scheduler-estimator-cert-file', 'scheduler-estimator-key-file'],
];

const HEALTH_PROBE = ['health-probe-bind-address'];
const SERVING = { 'v1.12.0': ['bind-address', 'secure-port'] };

/** Flags that leave a queue without workers at 0; in other worker counts 0 means 1. */
export const WORKERS = [
  'concurrent-work-syncs',
  'concurrent-resource-template-syncs',
  'concurrent-propagation-policy-syncs',
  'concurrent-cluster-propagation-policy-syncs',
  'concurrent-dependent-resource-syncs',
] as const;

const duration: FlagType = { type: 'duration' };
const whole: FlagType = { type: 'number', whole: true };
const port: FlagType = { type: 'number', whole: true, atLeast: 0, atMost: 65535 };

/** The types of flags that no rule reads, by the ends of their names. */
const TYPES: readonly (readonly [RegExp, FlagType])[] = [
  [/^skipped-propagating-apis$/, { type: 'apis' }],
  [/^skipped-propagating-namespaces$/, { type: 'patterns' }],
  [/^(?:secure|server|scheduler-estimator)-port$/, port],
  [
    /^(?:scheduler-estimator-timeout|descheduling-interval|unschedulable-threshold)$/,
    { type: 'duration', atLeast: 0 },
  ],
  [/-(?:period|duration|deadline|timeout|delay|interval|frequency|stabilization)$/, duration],
  [/-(?:syncs|burst|port|bucket-size)$|^(?:rate-limiter-qps|parallelism)$/, whole],
  [/-api-qps$/, { type: 'number' }],
  [/^(?:leader-elect$|enable-|disable-|insecure-skip-)/, { type: 'boolean' }],
];

/** The type of a flag that no rule reads; undefined for text, which may be anything. */
export function typeOfOtherFlag(name: string): FlagType | undefined {
  return TYPES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Flags of text that no rule reads, but checks of a control plane do. */
export const CHECKED_FLAGS: readonly string[] = [
  ...['skipped-propagating-apis', 'skipped-propagating-namespaces'],
];

const otherFlags: Record<Component, OtherFlags> = {
  controllerManager: {
    always: [
      ...[...COMMON, ...RATE_LIMITER, ...LEADER_ELECTION, ...CONTROLLERS, 'feature-gates'],
      ...['cluster-api-context', 'cluster-api-kubeconfig', 'concurrent-cluster-propagation-policy-syncs'],
      ...['concurrent-clusterresourcebinding-syncs', 'concurrent-namespace-syncs'],
      ...['concurrent-propagation-policy-syncs', 'concurrent-resource-template-syncs'],
      ...['concurrent-resourcebinding-syncs', 'skipped-propagating-apis', 'skipped-propagating-namespaces'],
      ...['horizontal-pod-autoscaler-cpu-initialization-period', 'horizontal-pod-autoscaler-downscale-delay'],
      ...['horizontal-pod-autoscaler-downscale-stabilization', 'horizontal-pod-autoscaler-tolerance'],
      ...['horizontal-pod-autoscaler-initial-readiness-delay', 'horizontal-pod-autoscaler-sync-period'],
      ...['horizontal-pod-autoscaler-upscale-delay'],
    ],
    from: {
      ...LOGGING,
      'v1.11.0': HEALTH_PROBE,
      'v1.12.0': ['concurrent-dependent-resource-syncs'],
      'v1.14.0': ['federated-resource-quota-sync-period'],
    },
    before: { ...SERVING, 'v1.18.0': ['cluster-lease-duration', 'cluster-lease-renew-interval-fraction'] },
  },
  agent: {
    always: [
      ...[
        ...COMMON,
        ...RATE_LIMITER,
        ...ELECTION_DETAILS,
        ...CONTROLLERS,
        'feature-gates',
        'karmada-context',
      ],
      ...[
        'controllers',
        'karmada-kubeconfig',
        'karmada-kubeconfig-namespace',
        'cluster-name',
        'cluster-namespace',
      ],
      ...['cluster-api-endpoint', 'cluster-provider', 'cluster-region', 'cluster-zones', 'report-secrets'],
      ...[
        'proxy-server-address',
        'cert-rotation-checking-interval',
        'cert-rotation-remaining-time-threshold',
      ],
    ],
    from: { ...LOGGING, 'v1.11.0': HEALTH_PROBE },
    before: SERVING,
  },
  scheduler: {
    always: [
      ...[
        ...COMMON,
        ...RATE_LIMITER,
        ...LEADER_ELECTION,
        'feature-gates',
        'leader-elect-resource-name',
        'master',
      ],
      ...['disable-scheduler-estimator-in-pull-mode', 'scheduler-estimator-port'],
      ...['scheduler-estimator-service-prefix', 'scheduler-estimator-timeout'],
    ],
    from: {
      ...LOGGING,
      'v1.11.0': [...[...HEALTH_PROBE, 'metrics-bind-address', ...ESTIMATOR_CERTIFICATES]],
      'v1.12.0': ['scheduler-estimator-service-namespace'],
    },
    before: SERVING,
  },
  webhook: {
    always: [
      ...[
        ...COMMON,
        ...RATE_LIMITER,
        ...HEALTH_PROBE,
        'bind-address',
        'secure-port',
        'cert-dir',
        'metrics-bind-address',
      ],
      ...['tls-cert-file-name', 'tls-min-version', 'tls-private-key-file-name'],
    ],
    from: { ...LOGGING, 'v1.14.0': ['feature-gates'] },
  },
  descheduler: {
    always: [
      ...[...COMMON, 'leader-elect', 'leader-elect-resource-namespace', 'master'],
      ...['descheduling-interval', 'unschedulable-threshold', 'scheduler-estimator-port'],
      ...['scheduler-estimator-service-prefix', 'scheduler-estimator-timeout'],
    ],
    from: {
      ...LOGGING,
      'v1.11.0': [...HEALTH_PROBE, 'metrics-bind-address', ...ESTIMATOR_CERTIFICATES],
      'v1.12.0': [
        ...['leader-elect-lease-duration', 'leader-elect-renew-deadline', 'leader-elect-retry-period'],
        'scheduler-estimator-service-namespace',
      ],
    },
    before: SERVING,
  },
  estimator: {
    always: [...[...COMMON, 'feature-gates', 'master', 'cluster-name', 'server-port', 'parallelism']],
    from: {
      ...LOGGING,
      'v1.11.0': [
        ...[...HEALTH_PROBE, 'metrics-bind-address', 'grpc-auth-cert-file', 'grpc-auth-key-file'],
        ...['grpc-client-ca-file', 'insecure-skip-grpc-client-verify'],
      ],
    },
    before: SERVING,
  },
};

/** The releases of a component that have such a flag; undefined if none has it. */
function presenceOf(component: Component, name: string): Values<boolean> | undefined {
  const { always, from = {}, before = {} } = otherFlags[component];
  if (always.includes(name)) return [{ value: true }];
  const first = Object.keys(from).find((release) => from[release]!.includes(name));
  if (first !== undefined) return [{ value: false }, { since: [first], value: true }];
  const last = Object.keys(before).find((release) => before[release]!.includes(name));
  return last === undefined ? undefined : [{ value: true }, { since: [last], value: false }];
}

/**
 * Whether a release has a flag that no rule of ours reads; if not, which others have it: "before v1.18.0", or "" if
 * none has. Underscores and dashes are equivalent in names.
 */
export function isOtherFlag(
  component: Component,
  name: string,
  release: Release,
): { known: true } | { known: false; when: string } {
  const presence = presenceOf(component, name.replaceAll('_', '-'));
  if (presence && valueAt({ values: presence }, release)) return { known: true };
  return { known: false, when: presence ? releasesText(presence, (known) => known) : '' };
}
