import { fileChecks } from '../../analysis/findings/catalogue.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { readAs, StateError } from '../../state/errors.ts';
import type { Chunks } from '../../state/input/textEncoding.ts';
import { readWrittenText } from '../../state/input/writtenText.ts';
import { readManifests, type ManifestSources } from '../../state/manifests/readManifests.ts';
import { whyUnreadable } from '../../state/systemProblem.ts';
import { parseOrganisationRules, type OrganisationRule } from '../rules/organisationRules.ts';
import { identityOfManifest } from './admissionFindings.ts';
import { validateManifests, type RiskWords, type Validated } from './validateManifests.ts';

/** What was found in files, and what they hold. */
export interface ValidatedFiles extends Pick<Validated, 'findings' | 'rules'> {
  objects: { kind: string; name: string; file: string; line: number }[];
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  warnings: string[];
}

/** Files with rules that organisations have written, and what messages put before their names. */
export interface RuleFiles {
  files: readonly string[];
  called: string;
}

/**
 * Reads manifests and files of rules ("-" for stdin), and checks the manifests by the rules. Rejects with a StateError that names the
 * place if something cannot be read.
 */
export async function validateFiles(
  sources: ManifestSources,
  { files: ruleFiles, called }: RuleFiles,
  configuration: Configuration,
  riskWords: RiskWords,
  stdin: () => Chunks,
): Promise<ValidatedFiles> {
  const rules = await readAs(called, () => readRules(ruleFiles, stdin));
  const { manifests, files, warnings } = await readManifests(sources, stdin);
  const {
    findings,
    rules: all,
    policies,
    others,
  } = await validateManifests(manifests, configuration, riskWords, rules);
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

async function readRules(files: readonly string[], stdin: () => Chunks): Promise<OrganisationRule[]> {
  const taken = new Set(fileChecks.map(({ id }) => id));
  const rules: OrganisationRule[] = [];
  for (const file of files) {
    const isStdin = file === '-';
    const name = isStdin ? 'stdin' : file;
    let text: string;
    try {
      text = await readWrittenText(name, file, isStdin ? stdin() : []);
    } catch (error) {
      if (error instanceof StateError) throw error;
      throw new StateError(`${name}: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
    }
    const parsed = await parseOrganisationRules(text, name, taken);
    if (parsed.length === 0)
      throw new StateError(`${name}: holds no rule; see "Rules of your own" in docs/taint-policy.md`);
    for (const { id } of parsed) taken.add(id);
    rules.push(...parsed);
  }
  return rules;
}
