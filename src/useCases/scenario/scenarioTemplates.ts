import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ScenarioFile } from '../../state/scenarioFile.ts';
import type { TemplateOptions } from '../../state/source.ts';
import { manifests } from './scenario.ts';

const CHANGES: readonly string[] = ['apply', 'patch', 'delete'];

/**
 * Which resource templates a scenario needs: none where no object is changed by hand, else those of the present
 * bindings and policies, and of what is applied.
 */
export async function templatesFor(
  { apply = [] }: { apply?: string[] | undefined },
  file: ScenarioFile | undefined,
): Promise<TemplateOptions | undefined> {
  const events = file?.events ?? [];
  if (apply.length === 0 && !events.some(({ action }) => CHANGES.includes(action.type))) return undefined;
  const applied = [
    ...(await Promise.all(apply.map((path) => manifests(path)))).flat(),
    ...events.flatMap(({ action }) => (action.type === 'apply' ? action.objects : [])),
  ];
  return { kinds: applied.flatMap((object) => [object, ...selected(object)]) };
}

function selected(object: KubernetesObject): { apiVersion: string; kind: string }[] {
  const { spec } = object as Partial<PropagationPolicy>;
  const selectors = spec?.resourceSelectors;
  return Array.isArray(selectors) ? selectors : [];
}
