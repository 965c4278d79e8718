import * as Flags from '@oclif/core/flags';
import { jobs } from '../../karmada/controllers/registry.ts';
import { connectionFlags, repeatable } from '../connectionFlags.ts';
import { liveFlags } from '../flags.ts';

const what = { helpGroup: 'CONTROLLERS' };
const pace = { helpGroup: 'EVICTION' };
const lease = { helpGroup: 'LEADER ELECTION' };
const serving = { helpGroup: 'SERVING' };
/** The settings of the controllers: each is also a field of the configuration file with the same name. */
export const settingFlags = {
  controllers: Flags.string({
    ...what,
    summary: `controllers to run, as for karmada-controller-manager: * (all), NAME, or -NAME (not this one); names: ${jobs.join(', ')}; default: *`,
    helpValue: 'LIST',
  }),
  'karmada-version': Flags.string({
    ...what,
    summary:
      'Karmada version whose rules they follow, such as v1.18 or proposal; default: the running version',
    helpValue: 'VERSION',
  }),
  'feature-gates': Flags.string({
    ...what,
    summary: 'feature gates of these controllers, such as Failover=true; default: those of the version',
    helpValue: 'GATES',
    ...repeatable,
  }),
  'enable-taint-manager': Flags.string({ ...pace, summary: 'run the taint manager', helpValue: 'BOOL' }),
  'enable-no-execute-taint-eviction': Flags.string({
    ...pace,
    summary: 'let NoExecute taints evict',
    helpValue: 'BOOL',
  }),
  'no-execute-taint-eviction-purge-mode': Flags.string({
    ...pace,
    summary: 'purge mode of evictions if the policy names none',
    helpValue: 'Gracefully|Directly',
  }),
  'resource-eviction-rate': Flags.string({
    ...pace,
    summary: 'evictions per second; in released versions, of each of three workers',
    helpValue: 'NUMBER',
  }),
  'secondary-resource-eviction-rate': Flags.string({
    ...pace,
    summary: 'evictions per second if too many clusters are faulty and there are many clusters (proposal)',
    helpValue: 'NUMBER',
  }),
  'unhealthy-cluster-threshold': Flags.string({
    ...pace,
    summary: 'share of faulty clusters above which evictions slow down or stop (proposal)',
    helpValue: 'SHARE',
  }),
  'large-cluster-num-threshold': Flags.string({
    ...pace,
    summary:
      'number of clusters above which evictions slow down rather than stop if too many are faulty (proposal)',
    helpValue: 'COUNT',
  }),
  'graceful-eviction-timeout': Flags.string({
    ...pace,
    summary: 'how long an eviction task may take before it ends anyway',
    helpValue: 'DURATION',
  }),
  'evict-plugins': Flags.string({
    ...pace,
    summary: 'plugins that can end an eviction task (proposal)',
    helpValue: 'LIST',
  }),
  'leader-elect': Flags.string({
    ...lease,
    summary: 'wait for the Lease before working; default: true',
    helpValue: 'BOOL',
  }),
  'leader-elect-lease-duration': Flags.string({
    ...lease,
    summary: 'how long others wait for a leader that does not renew the Lease; default: 15s',
    helpValue: 'DURATION',
  }),
  'leader-elect-renew-deadline': Flags.string({
    ...lease,
    summary: 'how long a leader stays active after its last renewal; default: 10s',
    helpValue: 'DURATION',
  }),
  'leader-elect-retry-period': Flags.string({
    ...lease,
    summary: 'time between two tries to get or renew the Lease; default: 2s',
    helpValue: 'DURATION',
  }),
  'leader-elect-resource-namespace': Flags.string({
    ...lease,
    summary: 'namespace of the Lease; default: karmada-system',
    helpValue: 'NAMESPACE',
  }),
  'leader-elect-resource-name': Flags.string({
    ...lease,
    summary: 'name of the Lease; default: karmada-failover-controller',
    helpValue: 'NAME',
  }),
  'bind-address': Flags.string({
    ...serving,
    summary:
      'address of /healthz, /readyz and /metrics; 0: serve none; default :10357; without TLS /metrics is only for this machine',
    helpValue: 'ADDRESS',
  }),
  'tls-cert-file': Flags.string({
    ...serving,
    summary:
      'certificate to serve them with; /metrics then needs a bearer token, which the API server reviews',
    helpValue: 'FILE',
  }),
  'tls-private-key-file': Flags.string({
    ...serving,
    summary: 'file with the key of that certificate',
    helpValue: 'FILE',
  }),
  'authentication-kubeconfig': Flags.string({
    ...serving,
    summary:
      'kubeconfig of the API server that reviews those tokens, and whether their users may get /metrics; default: the control plane',
    helpValue: 'FILE',
  }),
};

/** How services log. */
export const loggingFlags = {
  'logging-format': Flags.string({
    summary: 'form of the log on stderr; default: json',
    helpValue: 'json|text',
  }),
  v: liveFlags.v,
};

export const controllerRunFlags = {
  config: Flags.string({
    summary: 'file with these settings (YAML or JSON, named as the flags); flags take precedence',
    helpValue: 'FILE',
  }),
  observe: Flags.boolean({
    summary: 'write nothing: log and count each decision; at the end report what would have been written',
  }),
  record: Flags.string({
    summary: 'also record the control plane in this file; at 100 MiB it is renamed to FILE.1 and restarted',
    helpValue: 'FILE',
  }),
  ...settingFlags,
  assume: Flags.string({
    summary:
      "a flag or gate of Karmada's own controller manager, if it cannot be read, such as controllers=*,-gracefulEviction or Failover=false",
    helpValue: 'NAME=VALUE',
    ...repeatable,
  }),
  output: Flags.string({
    char: 'o',
    summary: 'json: print each decision as one line of JSON on stdout',
    helpValue: 'json',
  }),
  'logging-format': loggingFlags['logging-format'],
  ...liveFlags,
};

/** Flags of commands that print manifests of a Deployment. */
export const printedFlags = {
  for: Flags.string({ summary: 'print only this part', helpValue: 'karmada|host' }),
  namespace: Flags.string({
    char: 'n',
    summary: 'namespace of the Deployment and of the account; default: karmada-system',
    helpValue: 'NAMESPACE',
  }),
  'image-digest': Flags.string({
    summary: 'digest of the image, as docker push prints it; nodes accept no other',
    helpValue: 'sha256:DIGEST',
  }),
  output: Flags.string({ char: 'o', summary: 'yaml or json; default: yaml', helpValue: 'FORMAT' }),
};

export const controllerManifestsFlags = {
  for: printedFlags.for,
  filename: Flags.string({
    char: 'f',
    summary: 'CRDs to add the fields of the proposal to; default: those of the control plane',
    helpValue: 'FILE',
    ...repeatable,
  }),
  namespace: printedFlags.namespace,
  image: Flags.string({
    summary: "image of the controllers, built from the project's Dockerfile; not needed with --for karmada",
    helpValue: 'IMAGE',
  }),
  'image-digest': printedFlags['image-digest'],
  replicas: Flags.string({ summary: 'number of replicas; default: 2', helpValue: 'COUNT' }),
  'kubeconfig-secret': Flags.string({
    summary:
      'Secret with the kubeconfig for the Karmada API server; default: karmada-failover-controller-kubeconfig',
    helpValue: 'NAME',
  }),
  'tls-secret': Flags.string({
    summary:
      'Secret of the type kubernetes.io/tls to serve health and metrics with; without it metrics stay in the Pod and there is no Service',
    helpValue: 'NAME',
  }),
  config: Flags.string({
    summary: 'file with settings (YAML or JSON, named as the flags); flags take precedence',
    helpValue: 'FILE',
  }),
  ...settingFlags,
  assume: Flags.string({
    summary: "a flag or gate of Karmada's own controller manager; also for controller run",
    helpValue: 'NAME=VALUE',
    ...repeatable,
  }),
  output: printedFlags.output,
  ...connectionFlags,
};
