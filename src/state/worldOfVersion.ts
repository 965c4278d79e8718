import type { World } from '../engine/world.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import type { Rules } from '../karmada/dialects/rules.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../karmada/names.ts';
import { apiTypes } from '../karmada/schema/kinds.ts';
import { dropLaterFields, type DropLaterFields } from '../karmada/schema/laterFields.ts';
import { newestApiRules } from '../karmada/schema/policy.ts';

/** A field or a kind that the version does not know, and where it was found. */
export interface LaterField {
  /** "spec.failover.cluster"; absent for a kind as a whole */
  path?: string;
  kind: string;
  /** how many objects have it */
  objects: number;
  /** "shop/web" */
  first: string;
}

/**
 * A world as a control plane of some version sees it: without the fields and kinds that later versions brought. Objects that have none
 * of these stay as they are, and so do fields that no version knows.
 */
export function worldOfVersion<W extends World>(world: W, rules: Rules): { world: W; left: LaterField[] } {
  const [types, newest] = [apiTypes(rules), apiTypes({ ...rules, api: newestApiRules })];
  const left = new Map<string, LaterField>();
  const drops = new Map(
    [...types.kinds].flatMap(([kind, { schema }]) => {
      const drop = dropLaterFields(schema, newest.kinds.get(kind)!.schema);
      return drop ? [[kind, drop] as const] : [];
    }),
  );
  const dropPlacement = dropLaterFields(types.policy.Placement, newest.policy.Placement);

  function known<T extends Pick<KubernetesObject, 'metadata'> & { kind?: string }>(
    objects: T[],
    plain: string,
  ): T[] {
    return objects.map((object) => {
      const kind = object.kind ?? plain;
      const drop = drops.get(kind);
      if (!drop) return object;
      const found = new Set<string>();
      const kept = withAppliedPlacement(
        drop(object as unknown as Record<string, unknown>, (path) => found.add(path)),
        dropPlacement,
      );
      for (const path of found) note(kind, object, path);
      return kept as unknown as T;
    });
  }

  function note(kind: string, { metadata }: Pick<KubernetesObject, 'metadata'>, path?: string): void {
    const key = `${kind} ${path ?? ''}`;
    const before = left.get(key);
    if (before) before.objects++;
    else {
      const first = metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
      left.set(key, { ...(path === undefined ? {} : { path }), kind, objects: 1, first });
    }
  }

  const hasTaintPolicies = types.kinds.has('ClusterTaintPolicy');
  if (!hasTaintPolicies) for (const policy of world.taintPolicies) note('ClusterTaintPolicy', policy);
  const changed = {
    ...world,
    bindings: known(world.bindings, 'ResourceBinding'),
    policies: known(world.policies, 'PropagationPolicy'),
    taintPolicies: hasTaintPolicies ? world.taintPolicies : [],
  };
  return { world: left.size > 0 ? changed : world, left: [...left.values()] };
}

/** The placement that the scheduler last applied, which an annotation keeps as text. */
function withAppliedPlacement(object: Record<string, unknown>, drop: DropLaterFields | undefined) {
  const { metadata } = object as { metadata?: { annotations?: Record<string, string> } };
  const text = metadata?.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  if (!drop || text === undefined) return object;
  let placement: unknown;
  try {
    placement = JSON.parse(text);
  } catch {
    // the scheduler reports a text that it cannot read
    return object;
  }
  if (typeof placement !== 'object' || placement === null) return object;
  const kept = drop(placement as Record<string, unknown>, () => undefined);
  if (kept === placement) return object;
  const annotations = { ...metadata?.annotations, [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(kept) };
  return { ...object, metadata: { ...metadata, annotations } };
}
