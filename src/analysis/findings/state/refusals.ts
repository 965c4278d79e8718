/** The meaning of a message of an API server or the scheduler. */
interface Refusal {
  says: RegExp;
  /** the cause, if the message only shows its effect */
  means?: string;
  remedy?: string;
}

/** Messages with a known cause: the first match wins. */
const REFUSALS: readonly Refusal[] = [
  {
    says: /informer of cluster\S* has not been initialized/,
    means: 'Karmada does not watch the cluster yet: it begins with the first status that it collects there',
    remedy:
      'wait after a restart of karmada-controller-manager (of karmada-agent for Pull clusters); if it lasts, check clusterStatus in --controllers and its log about the cluster',
  },
  {
    says: /kind=Namespace, \/kube-.* already exists/,
    means: '--skipped-propagating-namespaces replaces the default kube-.*, so this Namespace is propagated',
    remedy: 'start karmada-controller-manager with a --skipped-propagating-namespaces that has kube-.* too',
  },
  {
    // The namespace controller writes these Works regardless of policies.
    says: /kind=Namespace, .* already exists/,
    remedy:
      'annotate the Namespace with work.karmada.io/conflict-resolution: overwrite, or label it namespace.karmada.io/skip-auto-propagation: "true"',
  },
  {
    says: /already exists/,
    remedy: 'let Karmada take over the existing object: conflictResolution: Overwrite in the policy',
  },
  {
    says: /provide credentials|Unauthorized/,
    means: 'the cluster refuses the credentials of Karmada',
    remedy: 'renew the token in the Secret of the cluster, or join the cluster again',
  },
  { says: /exceeded quota/, remedy: 'raise the ResourceQuota in the cluster' },
  {
    says: /must be no more than 63 characters/,
    means: 'Karmada before v1.10 puts the name of the Work, which is too long, into a label',
    remedy: 'upgrade Karmada, or shorten the name of the object',
  },
  {
    says: /no matches for kind|could not find the requested resource/,
    means: 'the cluster does not serve the kind',
    remedy: 'install its CustomResourceDefinition in the cluster',
  },
  {
    says: /immutable|updates to \S+ spec for fields other than/,
    means: 'the template changed a field that the copy cannot change',
    remedy:
      'delete the copy in the cluster, and Karmada creates it again, or retain the field by an interpreter',
  },
  {
    says: /namespaces? \S+ not found/,
    means: 'the cluster lacks the namespace',
    remedy: 'let Karmada propagate the Namespace, or create it in the cluster',
  },
  { says: /being terminated/, remedy: 'check what blocks the deletion of the namespace in the cluster' },
  {
    says: /failed calling webhook|admission webhook/,
    means: 'a webhook of the cluster refuses it',
    remedy: 'check that webhook in the cluster',
  },
  { says: /port is already allocated/, remedy: 'choose another nodePort, or override it for the cluster' },
  {
    says: /is forbidden: User/,
    means: 'Karmada lacks rights in the cluster',
    remedy: 'grant the rights to the service account of Karmada in the cluster',
  },
  {
    says: /no such host|connection refused|i\/o timeout|context deadline exceeded/,
    means: 'the API server of the cluster is out of reach',
    remedy: 'check name resolution and the network between Karmada and the cluster',
  },
  {
    says: /resourceVersion should not be set/,
    means: 'karmada-webhook, which removes metadata.resourceVersion from Works, did not get this one',
    remedy:
      'check that the MutatingWebhookConfiguration of Karmada has work.karmada.io, then remove resourceVersion from the manifest in the Work',
  },
  {
    says: /just support cluster and region spread constraint/,
    means: 'the scheduler spreads by cluster or region only, not by label, zone or provider alone',
    remedy: 'use spreadByField: cluster or region in the policy',
  },
  {
    says: /feasible region is less than spreadConstraint\.MinGroups/,
    means: 'fewer regions have a suitable cluster than minGroups requires',
  },
  {
    says: /clusters is less than (the cluster )?spreadConstraint\.MinGroups/,
    means: 'fewer clusters are suitable than minGroups requires',
  },
  {
    says: /available replicas (\d+ )?are not enough to schedule/,
    means: 'its clusters have too little capacity for all replicas',
  },
  {
    says: /^NoClusterFit: (\d+)\/\d+ clusters are available: \d+ cluster\(s\) did not have the API resource$/,
    means: 'no cluster serves its kind',
    remedy: 'install its CustomResourceDefinition in the clusters',
  },
];

/** The known meaning of a message. */
export function refusalIn(message: string): Refusal | undefined {
  return REFUSALS.find(({ says }) => says.test(message));
}

/** A message, after its cause if that is known. */
export function withCause(message: string): string {
  const means = refusalIn(message)?.means;
  return means ? `${means} (${message})` : message;
}
