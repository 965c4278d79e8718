import { compileSelection } from '../../analysis/drain/decide/selects.ts';
import { templatesOf } from '../../analysis/drain/decide/selects.ts';
import type { DrainSelection } from '../../analysis/drain/drainOptions.ts';
import { workloadIdentity } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import { Problem } from '../problem.ts';
import { bindingsIn } from '../selection/selection.ts';

/**
 * Throws a Problem if a part of a selection matches no workload: a typo in a workload to skip would drain the very
 * workload that was to stay.
 */
export function checkSelection(selection: DrainSelection, world: World): void {
  const bindings = bindingsIn(world.bindings, selection.namespace);
  const means = (one: DrainSelection) => {
    const { selects } = compileSelection(one);
    return world.bindings.some((binding) => selects(binding, undefined));
  };
  for (const input of ['skip', 'only'] as const)
    for (const name of selection[input] ?? [])
      if (!means({ only: [name] })) {
        const workloads = bindings.map(workloadIdentity);
        throw new Problem({ code: 'no-workload', input, name, workloads });
      }
  for (const kind of selection.kinds ?? [])
    if (!means({ kinds: [kind] })) {
      const known = new Set(world.bindings.map((binding) => workloadIdentity(binding).kind.toLowerCase()));
      throw new Problem({ code: 'no-kind', kind, known: [...known].sort() });
    }
  const { policy, labelSelector } = selection;
  if (policy !== undefined && !means({ policy })) throw new Problem({ code: 'no-policy', policy });
  if (labelSelector) {
    const templateOf = templatesOf(world);
    const { selects } = compileSelection({ labelSelector });
    if (!world.bindings.some((binding) => selects(binding, templateOf(binding))))
      throw new Problem({ code: 'no-labels' });
  }
}
