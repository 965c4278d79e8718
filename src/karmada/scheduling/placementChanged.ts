import type { Placement } from '../api/policy.ts';
import {
  marshalPlacement,
  placementParts,
  unmarshalPlacement,
  type PlacementParts,
} from '../objects/appliedPlacement.ts';

interface Applied {
  text: string;
  parts?: PlacementParts;
  /** the last annotation compared with the placement: it rarely changes between attempts */
  read?: { annotation: string; parts: PlacementParts | undefined };
}

/** Applied placements, and whether the scheduler must act on a placement again. */
export interface AppliedPlacements {
  /** The applied-placement annotation that the scheduler writes when it acts on this placement. */
  text(placement: Placement): string;
  /**
   * Whether the placement differs from the applied one (the applied-placement annotation) so that the scheduler must
   * act. Always without an annotation; never if it is malformed. Only the observed affinity group matters, and a
   * binding without an observed name is changed; a change of only workloadAffinity does not matter while a name is
   * observed. Mirrors placementChanged in pkg/scheduler.
   */
  changed(
    placement: Placement,
    annotation: string | undefined,
    observedAffinityName: string | undefined,
  ): boolean;
}

/** Caches the texts of placements, as long as both this cache and the placement live. */
export function createAppliedPlacements(): AppliedPlacements {
  const texts = new WeakMap<Placement, Applied>();
  const applied = (placement: Placement): Applied => {
    let known = texts.get(placement);
    if (!known) texts.set(placement, (known = { text: marshalPlacement(placement) }));
    return known;
  };
  return {
    text: (placement) => applied(placement).text,
    changed: (placement, annotation, observedAffinityName) =>
      placementChanged(placement, applied(placement), annotation, observedAffinityName),
  };
}

function placementChanged(
  placement: Placement,
  now: Applied,
  annotation: string | undefined,
  observedAffinityName: string | undefined,
): boolean {
  if (!annotation) return true;
  now.parts ??= placementParts(placement);
  // A text without empty lists parses back to exactly the same placement.
  if (annotation === now.text && now.text === now.parts.whole) {
    // the next attempt gets the same string, which is equal without a comparison
    now.text = now.parts.whole = annotation;
    return false;
  }

  const parts = partsOfAnnotation(annotation, now);
  if (parts === undefined) return false;
  if (parts.whole === now.parts.whole) return false;
  if (
    parts.clusterAffinity !== now.parts.clusterAffinity ||
    parts.clusterTolerations !== now.parts.clusterTolerations ||
    parts.spreadConstraints !== now.parts.spreadConstraints ||
    parts.replicaScheduling !== now.parts.replicaScheduling
  )
    return true;

  if (!observedAffinityName) return true;
  const term = now.parts.affinityTerms.get(observedAffinityName);
  return term === undefined || term !== parts.affinityTerms.get(observedAffinityName);
}

/** Undefined if Karmada cannot parse it. */
function partsOfAnnotation(annotation: string, known: Applied): PlacementParts | undefined {
  if (known.read?.annotation === annotation) return known.read.parts;
  const before = unmarshalPlacement(annotation);
  const parts = before && placementParts(before);
  known.read = { annotation, parts };
  return parts;
}
