import { notIgnorable } from '../../analysis/findings/admission.ts';
import type { Finding, FindingRule } from '../../analysis/findings/finding.ts';
import { isObject } from '../../kubernetes/json.ts';
import { uselessIgnores } from '../rules/uselessIgnores.ts';
import { StateError } from '../../state/errors.ts';
import { readPositioned } from '../../state/yaml/positions.ts';

/** A rule that an organisation ignores, in all files or in those whose path starts with a prefix. */
interface Ignoring {
  rule: string;
  reason: string;
  files: readonly string[] | undefined;
  place: Finding['place'];
}

const FIELDS = ['rule', 'reason', 'files'];

/** Parses a settings file: `ignore: [{rule: ..., reason: ..., files: [...]}]`. Throws a StateError with the place. */
export function parseLintSettings(text: string, file: string): readonly Ignoring[] {
  const { documents, mistakes } = readPositioned(text, file);
  const [mistake] = mistakes;
  if (mistake) throw new StateError(mistake);
  const lists = documents.map((document) => {
    const { value } = document;
    const list = isObject(value) ? value['ignore'] : undefined;
    if (!Array.isArray(list)) throw new StateError(`${file}: has no list "ignore" of rules; write one`);
    return list.map((entry: unknown, at): Ignoring => {
      const fields = isObject(entry) ? entry : {};
      const { rule, reason, files } = fields;
      const place = { file, ...document.at(['ignore', at]) };
      const wrong = (what: string) => new StateError(`${file}:${place.line}: ignore[${at}]${what}`);
      if (typeof rule !== 'string' || typeof reason !== 'string' || reason.trim() === '')
        throw wrong(' needs a rule and a reason, both text');
      // an invalid list of files must not ignore the rule in all of them
      const other = Object.keys(fields).find((name) => !FIELDS.includes(name));
      if (other !== undefined)
        throw wrong(`.${other} is not a field here; the fields are ${FIELDS.join(', ')}`);
      if (files !== undefined && !isListOfTexts(files))
        throw wrong('.files is not a list of paths; write for example [manifests/batch/]');
      return { rule, reason, files, place };
    });
  });
  if (lists.length === 0) throw new StateError(`${file}: is empty; write a list "ignore" of rules`);
  return lists.flat();
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/**
 * Marks the findings that the settings ignore; reports settings without a finding.
 *
 * @param rules those that produced the findings
 */
export function applySettings(
  findings: readonly Finding[],
  settings: readonly Ignoring[],
  rules: readonly FindingRule[],
): Finding[] {
  const used = new Set<Ignoring>();
  const marked = findings.map((finding): Finding => {
    if (finding.ignored || notIgnorable.has(finding.rule)) return finding;
    const found = settings.find(
      ({ rule, files }) =>
        rule === finding.rule && (!files || files.some((path) => finding.place.file.startsWith(path))),
    );
    if (!found) return finding;
    used.add(found);
    return { ...finding, ignored: { reason: found.reason } };
  });
  return [
    ...marked,
    ...settings
      .filter((one) => !used.has(one))
      .map(({ rule, place }) =>
        uselessIgnores(
          rule,
          rules.map(({ id }) => id),
          { place },
          '',
        ),
      ),
  ];
}
