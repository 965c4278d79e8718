import { readFile } from 'node:fs/promises';
import type { FindingRule } from '../../engine/finding.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { StateError } from '../../state/errors.ts';
import type { Chunks } from '../../state/input/textEncoding.ts';
import { readManifests, type ManifestSources } from '../../state/manifests/readManifests.ts';
import { whyUnreadable } from '../../state/systemProblem.ts';
import { parseOrganisationRules, type OrganisationRule } from '../rules/organisationRules.ts';
import { identityOfManifest } from './admissionFindings.ts';
import { validateManifests, type RiskRules, type Validated } from './validateManifests.ts';
import { ownRules } from './validationRules.ts';

/** What was found in files, and what they hold. */
export interface ValidatedFiles extends Pick<Validated, 'findings' | 'rules'> {
  objects: { kind: string; name: string; file: string; line: number }[];
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  warnings: string[];
}

/**
 * Reads manifests and files of rules, and checks the manifests by the rules. Rejects with a StateError that names the
 * place if something cannot be read.
 */
export async function validateFiles(
  sources: ManifestSources,
  ruleFiles: readonly string[],
  configuration: Configuration,
  risks: RiskRules,
  stdin: () => Chunks,
): Promise<ValidatedFiles> {
  const rules = await readRules(ruleFiles, [...ownRules, ...risks.rules]);
  const { manifests, files, warnings } = await readManifests(sources, stdin);
  const {
    findings,
    rules: all,
    policies,
    others,
  } = await validateManifests(manifests, configuration, risks, rules);
  return {
    findings,
    rules: all,
    objects: policies.map((manifest) => {
      const { kind, name } = identityOfManifest(manifest);
      return { kind, name, file: manifest.source, line: manifest.at([]).line };
    }),
    files,
    passedOver: others,
    warnings,
  };
}

async function readRules(
  files: readonly string[],
  ours: readonly FindingRule[],
): Promise<OrganisationRule[]> {
  const taken = new Set(ours.map(({ id }) => id));
  const rules: OrganisationRule[] = [];
  for (const file of files) {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      throw new StateError(`${file}: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
    }
    const parsed = await parseOrganisationRules(text, file, taken);
    if (parsed.length === 0) throw new StateError(`${file}: holds no rule`);
    for (const { id } of parsed) taken.add(id);
    rules.push(...parsed);
  }
  return rules;
}
