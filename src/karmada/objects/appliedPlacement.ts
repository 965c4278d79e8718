import type { Placement } from '../api/policy.ts';
import type { ObjectMeta } from '../api/meta.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../api/names.ts';
import { unmarshal } from '../../kubernetes/goJson.ts';
import { unmarshalPlacement } from './placementFields.ts';

/** The placement of a binding's last scheduling; absent if no scheduler has written one. */
export type AppliedPlacement = { placement: Placement | undefined } | { error: string };

const NONE: AppliedPlacement = { placement: undefined };

/**
 * Reads the applied-placement annotation, the one source of tolerations for the taint manager. `error` is the text of
 * Go's JSON decoder.
 */
export function appliedPlacement(metadata: ObjectMeta): AppliedPlacement {
  const text = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  return text ? read(text) : NONE;
}

/** `appliedPlacement` for many bindings: those of one policy share the text, and each is read once. */
export function createPlacementReader(): typeof appliedPlacement {
  const known = new Map<string, AppliedPlacement>();
  return (metadata) => {
    const text = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
    if (!text) return NONE;
    let applied = known.get(text);
    if (!applied) known.set(text, (applied = read(text)));
    return applied;
  };
}

function read(text: string): AppliedPlacement {
  const placement = unmarshalPlacement(text);
  if (placement) return { placement };
  const json = unmarshal(text);
  return 'error' in json ? json : { error: typeError(json.value) };
}

/** Go's text if the whole value has another type; our own words if a field has. */
function typeError(value: unknown): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  if (type === 'object') return 'json: cannot unmarshal a field of v1alpha1.Placement: it has another type';
  return `json: cannot unmarshal ${type} into Go value of type v1alpha1.Placement`;
}
