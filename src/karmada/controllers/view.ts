import type { KubernetesObject, ObjectIdentity } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import type { ResourceBinding, Work } from '../api/work.ts';
import type { ClaimGroup } from '../objects/claims.ts';
import type { UnreadKind } from '../world.ts';
import type { Kind, Kinds } from './kinds.ts';

/**
 * What a controller sees when it reconciles: its caches at that moment. Reading them changes nothing. Lists are in a
 * fixed order: bindings oldest first (then by namespace and name), everything else by key. The scheduler's snapshot of
 * clusters is in `scheduling/clusterSnapshot.ts`, because the type belongs to the scheduler.
 */
export interface View {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  all<K extends Kind>(kind: K): Iterable<Kinds[K]>;
  /**
   * keys of the bindings that pass a test, in the order of `all`. The test runs once per group of bindings with the
   * same `alike` text
   */
  bindingsWhere(
    holds: (binding: ResourceBinding) => boolean,
    alike: (binding: ResourceBinding) => string,
  ): readonly string[];
  /** bindings whose spec.clusters names the cluster */
  bindingsOn(cluster: string): readonly ResourceBinding[];
  /** bindings with a graceful eviction task from the cluster */
  bindingsLeaving(cluster: string): readonly ResourceBinding[];
  /** the binding whose spec.resource is this object */
  bindingFor(object: ObjectIdentity): ResourceBinding | undefined;
  /** the binding with the permanent id of a Work */
  bindingOf(work: Work): ResourceBinding | undefined;
  /** the Works with a binding's permanent id by cluster, even if they are being deleted */
  worksOf(binding: ResourceBinding): ReadonlyMap<string, Work>;
  /** all Works for a member, even if they are being deleted */
  worksOn(cluster: string): readonly Work[];
  /** the Works that may still need a controller (`isOpen`), by key */
  openWorks(): Iterable<Work>;
  /** bindings that had leftover Works to delete at the start (`orphanedWorks`) */
  orphaned(): readonly ResourceBinding[];
  /** bindings whose requiredBy names the binding with this key */
  attachedTo(parent: string): readonly ResourceBinding[];
  /** bindings with propagateDeps whose recorded dependencies include this object */
  needing(object: ObjectIdentity): readonly ResourceBinding[];
  /** bindings in one of these groups (`claimGroups`) */
  bindingsIn(...groups: ClaimGroup[]): readonly ResourceBinding[];
  /** templates in one of these groups (`claimGroups`) */
  templatesIn(...groups: ClaimGroup[]): readonly KubernetesObject[];
  /** all `Object`s of a kind, whatever their group and version */
  objectsOf(kind: string): readonly KubernetesObject[];
  /** resource interpreters that the control plane declares besides Karmada's own */
  readonly hooks: DeclaredHooks;
  /** a raw status of a kind whose status Karmada reflects whole; undefined if no object has reported one */
  sampleStatus(kind: InterpretedKind): unknown;
  /** kinds that could not be read */
  readonly unread?: readonly UnreadKind[] | undefined;
}

/** The parts of an object that decide how Karmada interprets it. */
export interface InterpretedKind {
  apiVersion: string;
  kind: string;
}

type InterpreterOperation = 'InterpretHealth' | 'Retain' | 'ReviseReplica';

/** Hooks that objects of the control plane add to those that its version bundles. */
export interface DeclaredHooks {
  readonly rules: Rules['status'];
  enabled(resource: InterpretedKind, operation: InterpreterOperation): boolean;
}
