import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject, ObjectIdentity, ObjectMeta } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../../karmada/api/policy.ts';
import type {
  ResourceBinding,
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import { identityOf, objectKey } from '../objects/identities.ts';
import { placementOf } from '../objects/placement.ts';
import type { World } from '../world.ts';
import type { Agenda } from './agenda.ts';
import type { SimulatedWork } from './simulatedWork.ts';
import type { TimelineEvent } from './timeline.ts';

/** A binding on its way through a simulation. The objects it points at are never changed, only replaced. */
export interface BindingRecord {
  readonly identity: ObjectIdentity;
  /** as it was at the start */
  readonly initial: ResourceBinding;
  /** the place by age; ties between bindings are broken by it */
  readonly rank: number;
  current: ResourceBinding;
  deleted?: boolean;
  /** its Works by cluster; built when they are first asked for */
  works?: Map<string, SimulatedWork>;
}

/** An event to be kept; its evidence may be undefined where `SimulatedControlPlane.evidence` is. */
export type EventNote = Omit<TimelineEvent, 'time' | 'evidence'> & { evidence: Evidence[] | undefined };

export type ChangeNote = Omit<EventNote, 'object' | 'clusters' | 'evicting'>;

export interface Observer {
  clusterChanged?(before: Cluster | undefined, after: Cluster): void;
  /** spec, annotations or labels changed: the generation rose if the spec did */
  bindingChanged?(record: BindingRecord, before: ResourceBinding | undefined): void;
  /** status alone changed */
  bindingStatusChanged?(record: BindingRecord, before: ResourceBinding): void;
  taintPolicyChanged?(before: ClusterTaintPolicy | undefined, after: ClusterTaintPolicy): void;
  policyChanged?(before: PropagationPolicy | undefined, after: PropagationPolicy | undefined): void;
  templateChanged?(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void;
}

/** The API server of a simulation: holds the objects, takes writes, tells the controllers. */
export interface SimulatedControlPlane {
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly bindings: readonly BindingRecord[];
  readonly taintPolicies: ReadonlyMap<string, ClusterTaintPolicy>;
  readonly policies: ReadonlyMap<string, PropagationPolicy>;
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  readonly events: TimelineEvent[];
  findBinding(identity: ObjectIdentity): BindingRecord | undefined;
  /** bindings whose spec.clusters names the cluster, oldest first */
  bindingsOn(cluster: string): BindingRecord[];
  observe(observer: Observer): void;
  note(event: EventNote): void;
  /** A list for what a decision rests on; undefined where events are not kept, and nobody would read it. */
  evidence(): Evidence[] | undefined;
  /** Replaces a Cluster; the generation rises when the spec differs. */
  writeCluster(cluster: Cluster): void;
  /** Replaces a binding's spec (and annotations, where given) and raises its generation. */
  writeBinding(record: BindingRecord, change: BindingChange, note?: ChangeNote): void;
  writeBindingStatus(record: BindingRecord, status: ResourceBindingStatus): void;
  addBinding(binding: ResourceBinding): BindingRecord;
  removeBinding(record: BindingRecord): void;
  writeTaintPolicy(policy: ClusterTaintPolicy): void;
  removeTaintPolicy(name: string): void;
  writePolicy(policy: PropagationPolicy): void;
  removePolicy(key: string): void;
  writeTemplate(template: KubernetesObject): void;
  removeTemplate(key: string): void;
}

export interface BindingChange {
  spec?: ResourceBindingSpec;
  /** annotations to set, the others stay */
  annotations?: Record<string, string>;
  /** labels, annotations and the like anew; the generation is not taken from it */
  metadata?: ObjectMeta;
}

/**
 * Oldest first, then by namespace and name: the order in which bindings go wherever Karmada leaves one open, as it
 * does when a tainted cluster's bindings are queued (they come out of a hash table).
 */
function byAge(a: ResourceBinding, b: ResourceBinding): number {
  const [x, y] = [a.metadata, b.metadata];
  return (
    compareText(x.creationTimestamp ?? '', y.creationTimestamp ?? '') ||
    compareText(x.namespace ?? '', y.namespace ?? '') ||
    compareText(x.name, y.name)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @param keepEvents false where only what it comes to is wanted */
export function createControlPlane(world: World, agenda: Agenda, keepEvents = true): SimulatedControlPlane {
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const taintPolicies = new Map(world.taintPolicies.map((policy) => [policy.metadata.name, policy]));
  const policies = new Map(world.policies.map((policy) => [objectKey(identityOf(policy)), policy]));
  const templates = new Map(world.others.map((object) => [objectKey(identityOf(object)), object]));
  const bindings: BindingRecord[] = [];
  const byKey = new Map<string, BindingRecord>();
  const byCluster = new Map<string, Set<BindingRecord>>();
  const observers: Observer[] = [];
  const events: TimelineEvent[] = [];

  const targets = (binding: ResourceBinding) => binding.spec.clusters ?? [];

  function index(record: BindingRecord, before: TargetCluster[], after: TargetCluster[]): void {
    if (before === after) return;
    for (const { name } of before) byCluster.get(name)?.delete(record);
    for (const { name } of after) {
      const members = byCluster.get(name);
      if (members) members.add(record);
      else byCluster.set(name, new Set([record]));
    }
  }

  function add(binding: ResourceBinding): BindingRecord {
    const record: BindingRecord = {
      identity: identityOf(binding),
      initial: binding,
      rank: bindings.length,
      current: binding,
    };
    bindings.push(record);
    byKey.set(objectKey(record.identity), record);
    index(record, [], targets(binding));
    return record;
  }
  for (const binding of [...world.bindings].sort(byAge)) add(binding);

  const plane: SimulatedControlPlane = {
    clusters,
    bindings,
    taintPolicies,
    policies,
    templates,
    events,
    findBinding: (identity) => byKey.get(objectKey(identity)),
    bindingsOn: (cluster) => [...(byCluster.get(cluster) ?? [])].sort((a, b) => a.rank - b.rank),
    observe: (observer) => void observers.push(observer),
    note(event) {
      if (keepEvents) events.push({ time: agenda.now(), ...event, evidence: event.evidence ?? [] });
    },
    evidence: () => (keepEvents ? [] : undefined),

    writeCluster(cluster) {
      const before = clusters.get(cluster.metadata.name);
      const generation = before?.metadata.generation ?? 0;
      const after =
        before && before.spec === cluster.spec
          ? cluster
          : { ...cluster, metadata: { ...cluster.metadata, generation: generation + 1 } };
      clusters.set(cluster.metadata.name, after);
      for (const observer of observers) observer.clusterChanged?.(before, after);
    },

    writeBinding(record, change, note) {
      const before = record.current;
      const spec = change.spec ?? before.spec;
      record.current = {
        ...before,
        metadata: {
          ...(change.metadata ?? before.metadata),
          generation: (before.metadata.generation ?? 0) + (change.spec ? 1 : 0),
          ...(change.annotations
            ? { annotations: { ...before.metadata.annotations, ...change.annotations } }
            : {}),
        },
        spec,
      };
      index(record, targets(before), targets(record.current));
      if (note && keepEvents) plane.note({ ...note, object: record.identity, ...placementOf(spec) });
      for (const observer of observers) observer.bindingChanged?.(record, before);
    },

    writeBindingStatus(record, status) {
      const before = record.current;
      record.current = { ...before, status };
      for (const observer of observers) observer.bindingStatusChanged?.(record, before);
    },

    addBinding(binding) {
      const record = add(binding);
      for (const observer of observers) observer.bindingChanged?.(record, undefined);
      return record;
    },

    removeBinding(record) {
      record.deleted = true;
      byKey.delete(objectKey(record.identity));
      index(record, targets(record.current), []);
    },

    writeTaintPolicy(policy) {
      const before = taintPolicies.get(policy.metadata.name);
      taintPolicies.set(policy.metadata.name, policy);
      for (const observer of observers) observer.taintPolicyChanged?.(before, policy);
    },
    removeTaintPolicy: (name) => void taintPolicies.delete(name),

    writePolicy(policy) {
      const key = objectKey(identityOf(policy));
      const before = policies.get(key);
      policies.set(key, policy);
      for (const observer of observers) observer.policyChanged?.(before, policy);
    },
    removePolicy(key) {
      const before = policies.get(key);
      policies.delete(key);
      for (const observer of observers) observer.policyChanged?.(before, undefined);
    },

    writeTemplate(template) {
      const key = objectKey(identityOf(template));
      const before = templates.get(key);
      templates.set(key, template);
      for (const observer of observers) observer.templateChanged?.(before, template);
    },
    removeTemplate(key) {
      const before = templates.get(key);
      templates.delete(key);
      for (const observer of observers) observer.templateChanged?.(before, undefined);
    },
  };
  return plane;
}
