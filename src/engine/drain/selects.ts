import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { DrainSelection } from './drainOptions.ts';

/** Whether a drain with this selection is about the binding. `template` for its labels, where it was read. */
export function selects(
  _selection: DrainSelection,
  _binding: ResourceBinding,
  _template: Pick<KubernetesObject, 'metadata'> | undefined,
): boolean {
  throw new Error('not built yet');
}
