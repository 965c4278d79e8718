import type { Rules } from '../../../karmada/dialects/rules.ts';
import type { AnyManifest } from './controlPlaneManifests.ts';

/** The parts of a CRD's structural schema that change. */
interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  default?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
}

const POLICIES = ['PropagationPolicy', 'ClusterPropagationPolicy'];
const BINDINGS = ['ResourceBinding', 'ClusterResourceBinding'];

/** The kinds whose CRDs get fields from the designs that the rules follow. */
export function designedKinds({ api }: Pick<Rules, 'api'>): string[] {
  return [
    ...(api.taintPolicyForm === 'windows' ? ['ClusterTaintPolicy'] : []),
    ...(changesFailover(api) ? [...POLICIES, ...BINDINGS] : []),
  ];
}

function changesFailover(api: Rules['api']): boolean {
  return (
    api.clusterFailoverToleration ||
    api.clusterGracePeriod ||
    api.applicationPreConditions ||
    api.evictionHistory
  );
}

/**
 * A CRD with the fields that the designs add. Everything else is unchanged, so that stored objects stay valid;
 * server-specific fields (uid, versions, status) are left out. Undefined if its kind gets no fields, or if their
 * parent field is missing.
 */
export function withDesignFields(crd: AnyManifest, { api }: Pick<Rules, 'api'>): AnyManifest | undefined {
  const { spec } = structuredClone(crd) as unknown as {
    spec?: { names?: { kind?: string }; versions?: { schema?: { openAPIV3Schema?: Schema } }[] };
  };
  const kind = spec?.names?.kind;
  if (kind === undefined || !designedKinds({ api }).includes(kind)) return undefined;
  const changed = (spec?.versions ?? []).filter(({ schema }) => {
    const root = schema?.openAPIV3Schema;
    return root && (kind === 'ClusterTaintPolicy' ? addWindows(root) : addFailover(root, kind, api));
  });
  if (changed.length === 0) return undefined;
  const { name, labels, annotations } = crd.metadata;
  return {
    apiVersion: crd.apiVersion,
    kind: crd.kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  };
}

const integer = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  description,
  ...more,
});
const text = (description: string): Schema => ({ type: 'string', description });

/** Document 001: matchConditions, and taintsToAdd with their times. The shipped form remains for existing policies. */
function addWindows({ properties }: Schema): boolean {
  const spec = properties?.spec;
  const shipped = spec?.properties;
  if (!shipped?.targetClusters || !shipped.addOnConditions) return false;
  delete spec!.required;
  shipped.targetCluster = {
    ...shipped.targetClusters,
    description: 'TargetCluster selects the clusters; without it, any cluster is selected.',
  };
  shipped.matchConditions = {
    ...shipped.addOnConditions,
    description: 'MatchConditions are ANDed. If empty, the TaintsToAdd will be added.',
  };
  shipped.taintsToAdd = {
    type: 'array',
    description: 'TaintsToAdd are the taints of clusters that match.',
    items: {
      type: 'object',
      required: ['key', 'effect'],
      properties: {
        key: text('Key of the taint.'),
        effect: text('Effect of the taint: NoSchedule, PreferNoExecute or NoExecute.'),
        value: text('Value of the taint.'),
        addOnMatchSeconds: integer(
          'Seconds for which the conditions must match without a break before the taint is added.',
          { default: 300, minimum: 1 },
        ),
        removeOnMismatchSeconds: integer(
          'Seconds for which the conditions must not match, without a break, before the taint is removed.',
          { default: 180, minimum: 1 },
        ),
      },
    },
  };
  return true;
}

/** Documents 001, 003 and 004: the fields of spec.failover, and the fields of bindings that record their effects. */
function addFailover({ properties }: Schema, kind: string, api: Rules['api']): boolean {
  const spec = properties?.spec?.properties;
  const cluster = spec?.failover?.properties?.cluster?.properties;
  const application = spec?.failover?.properties?.application?.properties;
  if (!spec || !cluster || !application) return false;
  if (api.clusterFailoverToleration)
    cluster.tolerationSeconds = integer(
      'Seconds to wait after a PreferNoExecute taint has occurred on the cluster.',
      { default: 300 },
    );
  if (api.clusterGracePeriod) {
    cluster.gracePeriodSeconds = integer('Seconds that the old copy is kept at most.');
    cluster.purgeMode = {
      ...cluster.purgeMode,
      enum: [...api.clusterPurgeModes],
      default: api.defaultClusterPurgeMode,
    };
    const task = spec.gracefulEvictionTasks?.items?.properties;
    if (task) delete task.purgeMode?.enum;
  }
  if (api.applicationPreConditions)
    application.preConditions = {
      type: 'object',
      description: 'Conditions for failover to begin.',
      properties: {
        delaySeconds: integer('Seconds since the status was first collected from the cluster.'),
        healthyState: text('Healthy: the application has been healthy once on the cluster.'),
      },
    };
  if (api.evictionHistory)
    application.blockPredecessorSeconds = integer(
      'Seconds before the scheduler may choose the evicted cluster again; 0: never.',
    );
  if (BINDINGS.includes(kind)) addRecords(properties, api);
  return true;
}

function addRecords(properties: Record<string, Schema>, api: Rules['api']): void {
  const time: Schema = { type: 'string', format: 'date-time' };
  if (api.evictionHistory)
    properties.spec!.properties!.activeEvictionHistory = {
      type: 'array',
      description: 'The clusters that the application was evicted from, and when.',
      items: {
        type: 'object',
        required: ['clusterName'],
        properties: { clusterName: text('Name of the cluster.'), creationTimestamp: time },
      },
    };
  const item = properties.status?.properties?.aggregatedStatus?.items?.properties;
  if (api.applicationPreConditions && item) {
    item.settled = { type: 'boolean', description: 'The application has been healthy once on the cluster.' };
    item.creationTimestamp = { ...time, description: 'When a status was first collected.' };
  }
}
