import type { KubernetesObject } from '../api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';

/** Whether two objects are equal except for their metadata. */
export function sameContent(a: KubernetesObject, b: KubernetesObject): boolean {
  const [x, y] = [a, b] as unknown as [Record<string, unknown>, Record<string, unknown>];
  for (const field in x) if (field !== 'metadata' && !deepEqual(x[field], y[field])) return false;
  for (const field in y) if (x[field] === undefined && y[field] !== undefined) return false;
  return true;
}
