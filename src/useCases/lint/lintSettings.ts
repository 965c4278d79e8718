import { lasting } from '../../analysis/findings/admission.ts';
import type { Finding, FindingRule } from '../../analysis/findings/finding.ts';
import { isObject } from '../../kubernetes/json.ts';
import { ignoredForNothing } from '../rules/uselessIgnores.ts';
import { StateError } from '../../state/errors.ts';
import { readWrittenText } from '../../state/input/writtenText.ts';
import { readPositioned } from '../../state/yaml/positions.ts';

/** A rule that an organisation ignores, in all files or in those whose path begins so. */
interface Ignoring {
  rule: string;
  reason: string;
  files: readonly string[] | undefined;
  place: Finding['place'];
}

/** Reads a settings file: `ignore: [{rule: ..., reason: ..., files: [...]}]`. Rejects with a StateError that names the place. */
export async function readLintSettings(file: string): Promise<readonly Ignoring[]> {
  const text = await readWrittenText(file, file, []);
  const { documents, mistakes } = readPositioned(text, file);
  const [mistake] = mistakes;
  if (mistake) throw new StateError(mistake);
  return documents.flatMap((document) => {
    const { value } = document;
    const list = isObject(value) ? value['ignore'] : undefined;
    if (!Array.isArray(list)) throw new StateError(`${file}: has no list "ignore" of rules`);
    return list.map((entry: unknown, at): Ignoring => {
      const { rule, reason, files } = isObject(entry) ? entry : {};
      const place = { file, ...document.at(['ignore', at]) };
      if (typeof rule !== 'string' || typeof reason !== 'string' || reason.trim() === '')
        throw new StateError(`${file}:${place.line}: ignore[${at}] needs a rule and a reason`);
      const paths = Array.isArray(files) ? files.filter((one) => typeof one === 'string') : undefined;
      return { rule, reason, files: paths, place };
    });
  });
}

/**
 * Marks the findings that the settings ignore; reports settings that nothing needs.
 *
 * @param rules those by which the findings were made
 */
export function heedSettings(
  findings: readonly Finding[],
  settings: readonly Ignoring[],
  rules: readonly FindingRule[],
): Finding[] {
  const used = new Set<Ignoring>();
  const marked = findings.map((finding): Finding => {
    if (finding.ignored || lasting.has(finding.rule)) return finding;
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
        ignoredForNothing(
          rule,
          rules.map(({ id }) => id),
          { place },
          '',
        ),
      ),
  ];
}
