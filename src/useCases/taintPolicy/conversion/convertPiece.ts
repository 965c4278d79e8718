import type { Conversion, ConversionFinding } from '../../../analysis/taintPolicy/conversion/findings.ts';
import { convertPolicy } from '../../../analysis/taintPolicy/conversion/convertPolicy.ts';
import {
  CONVERTED_ANNOTATION,
  otherForm,
  type PolicyForm,
} from '../../../analysis/taintPolicy/conversion/forms.ts';
import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import { isObject, type JsonObject } from '../../../kubernetes/json.ts';
import { annotatedPiece, withoutEdits, type PlaceInPiece } from '../../../state/manifests/annotatedEdit.ts';
import { editablePieces, type EditablePiece } from '../../../state/yaml/edit/documentText.ts';
import { StateError } from '../../../state/errors.ts';
import { readPositioned } from '../../../state/yaml/positions.ts';
import { annotationValue, type ConvertedAnnotation } from './convertedAnnotation.ts';

/** A policy to convert, with the data that its annotation keeps from an earlier conversion in the other direction. */
export interface PolicyInPiece extends PlaceInPiece {
  object: JsonObject;
  earlier?: ConvertedAnnotation | undefined;
}

/** The policies of a piece after their conversion, each with its findings. */
export interface ConvertedPiece {
  text: string;
  /** in policy order; `restored`: back to its text before an earlier conversion */
  policies: { restored: boolean; findings: ConversionFinding[]; changes: Conversion['changes'] }[];
}

/** Whether the API of a form admits an object. */
export type IsAdmitted = (object: JsonObject, form: PolicyForm) => boolean;

/** If the policies cannot all be restored together, up to this many are tried one by one. */
const FEW = 20;

/**
 * Converts policies of a piece of a text. A policy that comes from the requested form is restored to its text there,
 * byte for byte, unless it was edited since. Returns undefined if the piece cannot be edited as written.
 *
 * @param values the parsed documents of the piece
 * @param isAdmitted called before an object from an annotation is used as a policy
 */
export function convertPiece(
  piece: EditablePiece,
  values: readonly unknown[],
  policies: readonly PolicyInPiece[],
  to: PolicyForm,
  isAdmitted: IsAdmitted,
): ConvertedPiece | undefined {
  let now = { piece, values };
  const restored = new Set<PolicyInPiece>();
  const restorable = policies.filter(({ earlier }) => earlier?.text);
  const attempts = restorable.length > FEW ? [] : restorable.map((one) => [one]);
  for (const some of [restorable, ...(restorable.length > 1 ? attempts : [])]) {
    if (some.length === 0 || restored.has(some[0]!)) continue;
    const before = restoredPiece(now.piece, some, to, isAdmitted);
    if (!before) continue;
    now = before;
    for (const policy of some) restored.add(policy);
  }
  const others = policies.filter((policy) => !restored.has(policy));
  const conversions = new Map(others.map((policy) => [policy, conversionOf(policy, to)]));
  const text = others.length > 0 ? forward(now.piece, now.values, others, conversions) : now.piece.text;
  if (text === undefined) return undefined;
  return {
    text,
    policies: policies.map((policy) => ({
      restored: restored.has(policy),
      changes: conversions.get(policy)?.changes ?? [],
      findings: conversions.get(policy)?.findings ?? [
        {
          code: 'restored',
          what: ['text'],
          weight: 'note',
          field: `metadata.annotations[${CONVERTED_ANNOTATION}]`,
        },
      ],
    })),
  };
}

function conversionOf(
  { object, earlier }: Pick<PolicyInPiece, 'object' | 'earlier'>,
  to: PolicyForm,
): Conversion {
  return convertPolicy(object['spec'] as ClusterTaintPolicySpec, to, earlier);
}

function forward(
  piece: EditablePiece,
  values: readonly unknown[],
  policies: readonly PolicyInPiece[],
  conversions: ReadonlyMap<PolicyInPiece, Conversion>,
): string | undefined {
  const edits = policies.map((policy) => {
    const { changes, kept } = conversions.get(policy)!;
    const { document, path } = policy;
    return {
      document,
      path,
      changes,
      annotation: CONVERTED_ANNOTATION,
      value: (undo: Parameters<typeof annotationValue>[1]) => annotationValue(kept, undo),
    };
  });
  return annotatedPiece(piece, values, edits);
}

/** The piece before policies were converted; undefined unless converting it again gives exactly this piece. */
function restoredPiece(
  piece: EditablePiece,
  policies: readonly PolicyInPiece[],
  to: PolicyForm,
  isAdmitted: IsAdmitted,
): { piece: EditablePiece; values: unknown[] } | undefined {
  const text = withoutEdits(
    piece,
    policies.map(({ document, path, earlier }) => ({
      document,
      path,
      annotation: CONVERTED_ANNOTATION,
      undo: earlier!.text!,
    })),
  );
  if (text === undefined) return undefined;
  const before = read(text);
  if (!before) return undefined;
  const again = policies.flatMap(({ document, path }) => {
    const object = path.reduce(
      (at: unknown, step) => (at as JsonObject | undefined)?.[step],
      before.values[document],
    );
    return isObject(object) && isAdmitted(object, to) ? [{ document, path, object }] : [];
  });
  if (again.length < policies.length) return undefined;
  const other = otherForm(to);
  const conversions = new Map(again.map((policy) => [policy, conversionOf(policy, other)]));
  return forward(before.piece, before.values, again, conversions) === piece.text ? before : undefined;
}

function read(text: string): { piece: EditablePiece; values: unknown[] } | undefined {
  try {
    const [piece, another] = editablePieces(text, '');
    const values = readPositioned(text, '').documents.map(({ value }) => value);
    return piece && !another ? { piece, values } : undefined;
  } catch (error) {
    if (error instanceof StateError) return undefined;
    throw error;
  }
}
