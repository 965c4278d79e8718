import {
  CONVERTED_ANNOTATION,
  keptSpec,
  type KeptSpec,
} from '../../../analysis/taintPolicy/conversion/forms.ts';
import { isObject, type JsonObject } from '../../../kubernetes/json.ts';
import { isUndo, type Undo } from '../../../state/manifests/annotatedEdit.ts';

/** The contents of a converted policy's annotation. */
export interface ConvertedAnnotation extends KeptSpec {
  /** how to undo the conversion of the text; absent if that would be too long */
  text?: Undo;
}

/** The API server accepts 256 KiB of annotations; the data that several conversions keep of each other grows fast. */
const LARGEST = 64 * 1024;

/** The value of the annotation, in one line. */
export function annotationValue({ from, spec }: KeptSpec, text: Undo): string {
  const whole = JSON.stringify({ from, spec, text });
  return whole.length <= LARGEST ? whole : JSON.stringify({ from, spec });
}

/**
 * The contents of an object's annotation; undefined if it has none, `invalid` if no conversion writes such an
 * annotation.
 */
export function convertedAnnotation({ metadata }: JsonObject): ConvertedAnnotation | 'invalid' | undefined {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  if (!isObject(annotations) || !Object.hasOwn(annotations, CONVERTED_ANNOTATION)) return undefined;
  const data = parsed(annotations[CONVERTED_ANNOTATION]);
  const kept = keptSpec(data);
  if (!kept || !isObject(data)) return 'invalid';
  const { text } = data;
  return { ...kept, ...(isUndo(text) && { text }) };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
