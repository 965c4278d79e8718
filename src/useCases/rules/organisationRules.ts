import {
  type Finding,
  type FindingRule,
  type Severity,
  limitedFindings,
  severities,
} from '../../analysis/findings/finding.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { type JsonObject, isObject } from '../../kubernetes/json.ts';
import { StateError } from '../../state/errors.ts';
import type { Path } from '../../kubernetes/fieldPath.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { placeOf } from '../../state/position.ts';
import { type PositionedDocument, readPositioned } from '../../state/yaml/positions.ts';
import { JsonPathProblem, checkJsonPath, jsonPathMatches } from './jsonPath.ts';

/** A rule written by an organisation: a JSONPath that every object must, or must not, match. */
export interface OrganisationRule extends FindingRule {
  severity: Severity;
  /** begins with $, which is the object */
  path: string;
  must: 'match' | 'not match';
  message: string;
  /** the kinds that it applies to; absent: all */
  kinds?: readonly string[];
  /** where the rule is: "rules.yaml:3:5" */
  source: string;
}

const MAX_RULES = 1000;
const LONGEST_PATH = 1000;
const LONGEST_TEXT = 10_000;
/** An id is part of an annotation's name. */
const ID = /^[a-z0-9]([-a-z0-9.]{0,48}[a-z0-9])?$/;
const FIELDS = ['id', 'mustMatch', 'mustNotMatch', 'message', 'severity', 'title', 'help', 'kinds'];

/**
 * The rules of a file: `rules`, a list of id, mustMatch or mustNotMatch (a JSONPath), message, and optionally severity
 * (error by default), title, help and kinds. Rejects with a StateError with the place of the first mistake.
 *
 * @param taken ids of our own rules
 */
export async function parseOrganisationRules(
  text: string,
  source: string,
  taken: ReadonlySet<string>,
): Promise<OrganisationRule[]> {
  const { documents, mistakes } = readPositioned(text, source);
  const [mistake] = mistakes;
  if (mistake) throw new StateError(mistake);
  const ids = new Set(taken);
  const rules: OrganisationRule[] = [];
  for (const document of documents)
    for (const reader of new Reader(document, source).rules()) rules.push(await reader.rule(ids));
  return rules;
}

class Reader {
  private readonly document: PositionedDocument;
  private readonly source: string;
  private readonly at: (string | number)[];
  private readonly fields: JsonObject;

  constructor(document: PositionedDocument, source: string, at: (string | number)[] = []) {
    this.document = document;
    this.source = source;
    this.at = at;
    const value = at.reduce<unknown>((inner, step) => (inner as JsonObject)[step], document.value);
    this.fields = isObject(value) ? value : this.fail([], 'must be an object with fields');
  }

  rules(): Reader[] {
    this.knownFields(['rules']);
    const { rules } = this.fields;
    if (!Array.isArray(rules) || rules.length === 0) return this.fail(['rules'], 'must be a list of rules');
    if (rules.length > MAX_RULES)
      return this.fail(['rules'], `has ${rules.length} rules; at most ${MAX_RULES} are allowed`);
    return rules.map((_, index) => new Reader(this.document, this.source, ['rules', index]));
  }

  async rule(ids: Set<string>): Promise<OrganisationRule> {
    this.knownFields(FIELDS);
    const id = this.text('id');
    if (!ID.test(id))
      this.fail(['id'], `"${id}" must consist of at most 50 lower case letters, digits, - and .`);
    if (ids.has(id)) this.fail(['id'], `"${id}" is the id of another rule`);
    ids.add(id);
    const message = this.text('message');
    const { mustMatch, mustNotMatch } = this.fields;
    if ((mustMatch === undefined) === (mustNotMatch === undefined))
      this.fail([], 'must have either mustMatch or mustNotMatch, a JSONPath');
    const kinds = this.kinds();
    return {
      id,
      message,
      severity: this.severity(),
      path: await this.path(mustMatch === undefined ? 'mustNotMatch' : 'mustMatch'),
      must: mustMatch === undefined ? 'not match' : 'match',
      title: this.fields['title'] === undefined ? message : this.text('title'),
      help: this.fields['help'] === undefined ? message : this.text('help'),
      ...(kinds ? { kinds } : {}),
      source: placeOf(this.source, this.document.at(this.at)),
    };
  }

  private async path(field: 'mustMatch' | 'mustNotMatch'): Promise<string> {
    const path = this.text(field);
    if (path.length > LONGEST_PATH)
      this.fail([field], `has ${path.length} characters; at most ${LONGEST_PATH} are allowed`);
    if (!path.startsWith('$')) this.fail([field], `${JSON.stringify(path)} must begin with $, the object`);
    try {
      await checkJsonPath(path);
    } catch (error) {
      if (!(error instanceof JsonPathProblem)) throw error;
      this.fail([field], `${JSON.stringify(path)} is not a JSONPath: ${error.message}`);
    }
    return path;
  }

  private severity(): Severity {
    const { severity = 'error' } = this.fields;
    if (severities.includes(severity as Severity)) return severity as Severity;
    return this.fail(['severity'], `${JSON.stringify(severity)} is not one of ${severities.join(', ')}`);
  }

  private kinds(): string[] | undefined {
    const { kinds } = this.fields;
    if (kinds === undefined) return undefined;
    if (
      Array.isArray(kinds) &&
      kinds.length > 0 &&
      kinds.every((kind) => typeof kind === 'string' && kind !== '')
    )
      return kinds as string[];
    return this.fail(['kinds'], 'must be a list of kinds, such as ClusterTaintPolicy');
  }

  private text(field: string): string {
    const value = this.fields[field];
    if (typeof value !== 'string' || value.trim() === '')
      return this.fail([field], 'must be a string that is not empty');
    if (value.length > LONGEST_TEXT)
      return this.fail([field], `has ${value.length} characters; at most ${LONGEST_TEXT} are allowed`);
    return value;
  }

  private knownFields(known: readonly string[]): void {
    for (const name of Object.keys(this.fields))
      if (!known.includes(name)) this.fail([name], `is not a field here; the fields are ${known.join(', ')}`);
  }

  private fail(field: (string | number)[], message: string): never {
    const path = [...this.at, ...field];
    const shown = path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .slice(1);
    throw new StateError(
      `${placeOf(this.source, this.document.at(path))}: ${shown === '' ? '' : `${shown}: `}${message}`,
    );
  }
}

/**
 * The findings of an organisation's rules in an object: each forbidden match, or the whole object if a required match
 * is missing. Rejects with a StateError that names the rule, its place and the object.
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
      ...limitedFindings(places, (place): Finding => ({
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
