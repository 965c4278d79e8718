import { CONVERTED_ANNOTATION, type PolicyForm } from '../../../analysis/taintPolicy/conversion/forms.ts';
import { StateError } from '../../../state/errors.ts';
import type { Manifest, ManifestText, PlacedManifest } from '../../../state/manifests/readManifests.ts';
import { placeOf } from '../../../state/position.ts';
import { editablePieces } from '../../../state/yaml/edit/documentText.ts';
import { convertedAnnotation } from './convertedAnnotation.ts';
import { convertPiece, type ConvertedPiece, type IsAdmitted, type PolicyInPiece } from './convertPiece.ts';

/** A text before and after; both are equal if there is nothing to convert. */
export interface ConvertedText {
  source: string;
  before: string;
  after: string;
  /** the file that holds it, if it can be written back */
  file?: string;
}

export type ConvertedInText = ConvertedPiece['policies'][number];

/**
 * Converts the selected policies of a text, piece by piece. Throws a StateError that names the place of a policy
 * whose document is written in a way that cannot be edited.
 */
export function convertText(
  { source, text, file, values, manifests }: ManifestText,
  wanted: ReadonlySet<Manifest>,
  to: PolicyForm,
  isAdmitted: IsAdmitted,
): { text: ConvertedText; policies: Map<Manifest, ConvertedInText> } {
  const policies = new Map<Manifest, ConvertedInText>();
  const unchanged = { source, before: text, after: text, ...(file !== undefined && { file }) };
  const own = manifests.filter((manifest) => wanted.has(manifest));
  if (own.length === 0) return { text: unchanged, policies };
  let first = 0;
  let after = text.startsWith('\ufeff') ? '\ufeff' : '';
  for (const piece of editablePieces(text, source)) {
    const last = first + piece.documents.length;
    const inside = own.filter(({ within: { document } }) => document >= first && document < last);
    const said = inside.map((manifest) => policyInPiece(manifest, first, to));
    const converted =
      inside.length === 0
        ? { text: piece.text, policies: [] }
        : convertPiece(piece, values.slice(first, last), said, to, isAdmitted);
    if (!converted) throw notEditable(inside[0]!);
    for (const [at, manifest] of inside.entries())
      policies.set(manifest, withAnnotation(converted.policies[at]!, manifest, to));
    after += converted.text;
    first = last;
  }
  return { text: { ...unchanged, after }, policies };
}

function policyInPiece(
  { object, within: { document, path } }: PlacedManifest,
  first: number,
  to: PolicyForm,
): PolicyInPiece {
  const earlier = convertedAnnotation(object);
  const isUsable = earlier !== undefined && earlier !== 'invalid' && earlier.from === to;
  return { object, document: document - first, path, ...(isUsable && { earlier }) };
}

/** Adds a finding if an annotation of the policy would be lost: a foreign one, or one of the same direction. */
function withAnnotation(made: ConvertedInText, { object }: Manifest, to: PolicyForm): ConvertedInText {
  const earlier = convertedAnnotation(object);
  if (earlier === undefined || (earlier !== 'invalid' && earlier.from === to)) return made;
  const field = `metadata.annotations[${CONVERTED_ANNOTATION}]`;
  return {
    ...made,
    findings: [...made.findings, { code: 'bad-annotation', weight: 'impossible', field }],
  };
}

function notEditable(manifest: PlacedManifest): StateError {
  const place = placeOf(manifest.source, manifest.at([]));
  return new StateError(
    `${place}: its YAML form cannot be converted; write its anchors, aliases and merge keys out, or quote unusual values`,
  );
}
