import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import { newestBindingTypes } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import { encodeText } from '../../kubernetes/schema/encode.ts';
import { keysOf } from '../../kubernetes/json.ts';

/** Whether two bindings differ in meaning: quantities compare by amount, empty is the same as absent. */
export function bindingDiffers(before: ResourceBinding, after: ResourceBinding): boolean {
  return !deepEqual(before.metadata, after.metadata) || specDiffers(before, after);
}

function specDiffers({ spec: before }: ResourceBinding, { spec: after }: ResourceBinding): boolean {
  const fields = keysOf({ ...before, ...after });
  const unequal = fields.filter((field) => !deepEqual(before[field], after[field]));
  const parts = (spec: ResourceBindingSpec) =>
    Object.fromEntries(unequal.map((field) => [field, spec[field]]));
  return unequal.length > 0 && canonical(parts(before)) !== canonical(parts(after));
}

function canonical(spec: object): string {
  const decoded = decode(newestBindingTypes.ResourceBindingSpec, spec);
  return 'error' in decoded
    ? JSON.stringify(spec)
    : encodeText(newestBindingTypes.ResourceBindingSpec, decoded.value);
}

/** The new binding with the generation that the API server gives it. */
export function nextGeneration(before: ResourceBinding, after: ResourceBinding): ResourceBinding {
  if (!specDiffers(before, after)) return after;
  const generation = (before.metadata.generation ?? 0) + 1;
  return { ...after, metadata: { ...after.metadata, generation } };
}
