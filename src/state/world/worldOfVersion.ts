import type { Cluster } from '../../karmada/api/cluster.ts';
import { apiTypes } from '../../karmada/api/kinds.ts';
import type { KubernetesObject, Taint } from '../../karmada/api/meta.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../karmada/api/names.ts';
import { type ClusterTaintPolicy, newestApiRules } from '../../karmada/api/policy.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import type { TaintPolicyForm } from '../../karmada/dialects/switches/api.ts';
import type { World } from '../../karmada/world.ts';
import type { Schema, StructSchema } from '../../kubernetes/schema/schema.ts';
import { isList, isObject } from '../../kubernetes/json.ts';

/** A field, a form of a kind, or a kind that is unknown to the version, and its objects. */
interface LaterField {
  /** "spec.failover.cluster", "spec.taints[] with PreferNoExecute"; absent for whole objects */
  path?: string;
  kind: string;
  /** if the version has the kind with other fields: the fields of these objects */
  form?: string;
  /** how many objects have it */
  objects: number;
  /** the first of them: "shop/web" */
  first: string;
}

/**
 * A world as a control plane of a version sees it: without the fields and kinds of later versions or designs. Other
 * objects are unchanged, and so are fields that no version knows. A ClusterTaintPolicy of the other form is left out as
 * a whole: without its fields it would look like a policy without effect, or for all clusters.
 */
export function worldOfVersion<W extends World>(world: W, rules: Rules): { world: W; left: LaterField[] } {
  const [types, newest] = [apiTypes(rules), apiTypes({ ...rules, api: newestApiRules })];
  const left = new Map<string, LaterField>();
  const drops = new Map<string, DropLaterFields | undefined>();
  const dropPlacement = dropLaterFields(types.policy.Placement, newest.policy.Placement);

  function dropOf(kind: string): DropLaterFields | undefined {
    if (!drops.has(kind)) {
      const [type, last] = [types.kinds.get(kind), newest.kinds.get(kind)];
      drops.set(kind, type && dropLaterFields(type.schema, last!.schema));
    }
    return drops.get(kind);
  }

  function known<T extends Pick<KubernetesObject, 'metadata'> & { kind?: string }>(
    objects: T[],
    plain: string,
  ): T[] {
    return objects.map((object) => {
      const kind = object.kind ?? plain;
      const drop = dropOf(kind);
      if (!drop) return object;
      const found = new Set<string>();
      const kept = withAppliedPlacement(
        drop(object as unknown as Record<string, unknown>, (path) => found.add(path)),
        dropPlacement,
      );
      for (const path of found) note(kind, object, { path });
      return kept as unknown as T;
    });
  }

  function note(
    kind: string,
    { metadata }: Pick<KubernetesObject, 'metadata'>,
    what: Pick<LaterField, 'path' | 'form'> = {},
  ): void {
    const key = `${kind} ${what.path ?? what.form ?? ''}`;
    const before = left.get(key);
    if (before) before.objects++;
    else {
      const first = metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
      left.set(key, { ...what, kind, objects: 1, first });
    }
  }

  const { taintPolicyForm } = rules.api;
  function knownTaintPolicies(policies: ClusterTaintPolicy[]): ClusterTaintPolicy[] {
    if (!types.kinds.has('ClusterTaintPolicy')) {
      for (const policy of policies) note('ClusterTaintPolicy', policy);
      return [];
    }
    const own = policies.filter((policy) => {
      const form = otherForm(policy, taintPolicyForm);
      if (form !== undefined) note('ClusterTaintPolicy', policy, { form });
      return form === undefined;
    });
    return known(own, 'ClusterTaintPolicy');
  }

  const { clusterTaintEffects } = rules.admission;
  function knownTaints(cluster: Cluster): Cluster {
    const taints = cluster.spec?.taints ?? [];
    const isLater = ({ effect }: Taint) =>
      effect === 'PreferNoExecute' && !clusterTaintEffects.includes(effect);
    if (!taints.some(isLater)) return cluster;
    note('Cluster', cluster, { path: 'spec.taints[] with PreferNoExecute' });
    return { ...cluster, spec: { ...cluster.spec, taints: taints.filter((taint) => !isLater(taint)) } };
  }

  const changed = {
    ...world,
    clusters: world.clusters.map(knownTaints),
    bindings: known(world.bindings, 'ResourceBinding'),
    policies: known(world.policies, 'PropagationPolicy'),
    taintPolicies: knownTaintPolicies(world.taintPolicies),
  };
  return { world: left.size > 0 ? changed : world, left: [...left.values()] };
}

/**
 * The fields of a policy in the form that the version lacks: "spec.addOnConditions, spec.taints". Undefined if the
 * policy lists taints in the version's form, even with other fields.
 */
function otherForm({ spec }: ClusterTaintPolicy, form: TaintPolicyForm): string | undefined {
  const [own, others] = form === 'windows' ? [WINDOWS, CONDITION_LISTS] : [CONDITION_LISTS, WINDOWS];
  if (form === 'either' || Object.hasOwn(spec, own.at(-1)!)) return undefined;
  const found = others.filter((field) => Object.hasOwn(spec, field));
  return found.length > 0 ? found.map((field) => `spec.${field}`).join(', ') : undefined;
}

/** The fields of either form; the last one lists the taints. */
const CONDITION_LISTS = ['targetClusters', 'addOnConditions', 'removeOnConditions', 'taints'];
const WINDOWS = ['targetCluster', 'matchConditions', 'taintsToAdd'];

/** The scheduler's last applied placement, which an annotation stores as text. */
function withAppliedPlacement(object: Record<string, unknown>, drop: DropLaterFields | undefined) {
  const { metadata } = object as { metadata?: { annotations?: Record<string, string> } };
  const text = metadata?.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  if (!drop || text === undefined) return object;
  let placement: unknown;
  try {
    placement = JSON.parse(text);
  } catch {
    // the scheduler reports unreadable text
    return object;
  }
  if (!isObject(placement)) return object;
  const kept = drop(placement, () => undefined);
  if (kept === placement) return object;
  const annotations = { ...metadata?.annotations, [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(kept) };
  return { ...object, metadata: { ...metadata, annotations } };
}

type Fields = Record<string, unknown>;

/** The fields of a struct that a version lacks, including nested ones. */
interface Lacking {
  names: ReadonlySet<string>;
  inner: ReadonlyMap<string, Lacking>;
}

/** Drops fields from an object, and calls `dropped` with each path, such as "spec.failover.cluster". */
type DropLaterFields = (object: Fields, dropped: (path: string) => void) => Fields;

/**
 * A function that drops the fields that `newest` has but `type`, the same struct in an older version, lacks; fields
 * unknown to both stay. It returns an object without such fields unchanged. Undefined if the version lacks nothing.
 */
function dropLaterFields(type: StructSchema, newest: StructSchema): DropLaterFields | undefined {
  const lacking = lackingIn(type, newest);
  return lacking && ((object, dropped) => without(object, lacking, '', dropped) as Fields);
}

function lackingIn(type: StructSchema, newest: StructSchema): Lacking | undefined {
  if (type === newest) return undefined;
  const names = Object.keys(newest.fields).filter((name) => !Object.hasOwn(type.fields, name));
  const inner = new Map<string, Lacking>();
  for (const [name, { schema }] of Object.entries(type.fields)) {
    const [ours, theirs] = [structOf(schema), structOf(newest.fields[name]?.schema)];
    const further = ours && theirs && lackingIn(ours, theirs);
    if (further) inner.set(name, further);
  }
  return names.length > 0 || inner.size > 0 ? { names: new Set(names), inner } : undefined;
}

/** The struct behind a pointer or in the items of a list. */
function structOf(schema: Schema | undefined): StructSchema | undefined {
  if (schema?.kind === 'pointer') return structOf(schema.to);
  if (schema?.kind === 'list') return structOf(schema.items);
  return schema?.kind === 'struct' ? schema : undefined;
}

function without(value: unknown, lacking: Lacking, path: string, dropped: (path: string) => void): unknown {
  if (isList(value)) {
    let items = value;
    for (const [index, item] of value.entries()) {
      const kept = without(item, lacking, `${path}[]`, dropped);
      if (kept !== item) items = items.with(index, kept);
    }
    return items;
  }
  if (!isObject(value)) return value;
  let result = value;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of lacking.names)
    if (Object.hasOwn(value, name)) {
      const { [name]: _, ...rest } = result;
      result = rest;
      dropped(at(name));
    }
  for (const [name, further] of lacking.inner) {
    const before = value[name];
    if (before === undefined) continue;
    const after = without(before, further, at(name), dropped);
    if (after !== before) result = { ...result, [name]: after };
  }
  return result;
}
