import type { DrainSelection } from '../../engine/drain/drainOptions.ts';
import { viewOfWorld } from '../../engine/drain/decide/drainView.ts';
import { workloadIdentity } from '../../engine/objects/identities.ts';
import { compileSelection } from '../../engine/drain/decide/selects.ts';
import type { World } from '../../engine/world.ts';
import { workloadName } from '../../views/workloadName.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import { bindingsIn } from '../selection/target.ts';

/** Kinds that are named where one is not known. */
const MOST_KINDS = 10;

/**
 * Throws a UserError where a flag that chooses workloads means none: a typing mistake in --skip would drain the very
 * workload that was to stay.
 */
export function checkSelection(selection: DrainSelection, world: World): void {
  const bindings = bindingsIn(world.bindings, selection.namespace);
  const means = (one: DrainSelection) => {
    const { selects } = compileSelection(one);
    return world.bindings.some((binding) => selects(binding, undefined));
  };
  for (const [flag, names] of [
    ['--skip', selection.skip],
    ['--only', selection.only],
  ] as const)
    for (const name of names ?? []) {
      if (means({ only: [name] })) continue;
      const known = bindings.map((binding) => workloadName(workloadIdentity(binding)));
      const typed = name.split('/').length === 2 ? known.map(withoutNamespace) : known;
      throw new UserError(
        withSuggestion(`${flag} ${name}: there is no such workload`, nearMatches(name, typed)),
      );
    }
  for (const kind of selection.kinds ?? [])
    if (!means({ kinds: [kind] })) {
      const known = [
        ...new Set(world.bindings.map((binding) => workloadIdentity(binding).kind.toLowerCase())),
      ];
      const others = known.length > 0 ? `there are ${known.sort().slice(0, MOST_KINDS).join(', ')}` : '';
      throw new UserError(
        withSuggestion(`--kind ${kind}: there is no workload of this kind`, nearMatches(kind, known), others),
      );
    }
  const { policy, labelSelector } = selection;
  if (policy !== undefined && !means({ policy }))
    throw new UserError(
      `--policy ${policy}: there is no workload that this policy places; write NAMESPACE/NAME, or NAME of a ClusterPropagationPolicy`,
    );
  if (labelSelector) {
    const { templateOf } = viewOfWorld(world);
    const { selects } = compileSelection({ labelSelector });
    if (!world.bindings.some((binding) => selects(binding, templateOf(binding))))
      throw new UserError('--selector: there is no workload with these labels');
  }
}

function withoutNamespace(name: string): string {
  return name.split('/').slice(-2).join('/');
}
