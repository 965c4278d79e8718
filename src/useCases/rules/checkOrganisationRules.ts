import { fewOf, type Finding } from '../../analysis/findings/finding.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { StateError } from '../../state/errors.ts';
import type { Path } from '../../state/fieldPath.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { JsonPathProblem } from './jsonPathFilter.ts';
import { jsonPathMatches } from './jsonPathMatches.ts';
import type { OrganisationRule } from './organisationRules.ts';

/**
 * What the rules of an organisation find in an object: each place that matches and must not, or the object as a whole
 * if nothing matches and something must. Rejects with a StateError that names the rule, its place and the object.
 */
export async function checkOrganisationRules(
  rules: readonly OrganisationRule[],
  manifest: Manifest,
  identity: ObjectIdentity,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, path, must, kinds, severity, message, source } of rules) {
    if (kinds && !kinds.includes(manifest.object.kind)) continue;
    let matches: Path[];
    try {
      matches = await jsonPathMatches(path, manifest.object);
    } catch (error) {
      if (!(error instanceof JsonPathProblem)) throw error;
      throw new StateError(
        `${source}: rule ${id}: ${path} on ${identity.kind} ${identity.name}: ${error.message}`,
      );
    }
    const places = must === 'not match' ? matches : matches.length === 0 ? [[]] : [];
    findings.push(
      ...fewOf(places, (place): Finding => ({
        rule: id,
        severity,
        message,
        object: identity,
        ...(place.length > 0 ? { field: shownPath(place) } : {}),
        place: { file: manifest.source, ...manifest.at(place) },
      })),
    );
  }
  return findings;
}

/** "spec.taints[0].key", "metadata.labels[app.kubernetes.io/name]" */
function shownPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' || /[.[\]]/.test(step) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}
