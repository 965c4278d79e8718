import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ScenarioFile } from '../../state/scenario/scenarioFile.ts';
import type { TemplateOptions } from '../../state/source.ts';
import type { Wish } from './makeScenario.ts';

const CHANGES: readonly string[] = ['apply', 'patch', 'delete'];

/**
 * Which resource templates a scenario needs: none if it changes no object, else those of the present bindings and
 * policies, and of the applied objects.
 */
export function templatesFor(
  wishes: readonly Wish[],
  file: ScenarioFile | undefined,
): TemplateOptions | undefined {
  const actions = [...wishes, ...(file?.events ?? []).map(({ action }) => action)];
  if (!actions.some(({ type }) => CHANGES.includes(type))) return undefined;
  const applied = actions.flatMap((action) => (action.type === 'apply' ? action.objects : []));
  return { kinds: applied.flatMap((object) => [object, ...selected(object)]) };
}

function selected(object: KubernetesObject): { apiVersion: string; kind: string }[] {
  const { spec } = object as Partial<PropagationPolicy>;
  const selectors = spec?.resourceSelectors;
  return Array.isArray(selectors) ? selectors : [];
}
