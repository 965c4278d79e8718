import type { Finding } from '../../analysis/findings/finding.ts';
import type { DataChange } from '../../kubernetes/dataChange.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { StateError } from '../../state/errors.ts';
import { readWritten } from '../../state/input/writtenText.ts';
import { fixedText } from '../../state/manifests/fixedText.ts';
import type { ManifestText } from '../../state/manifests/readManifests.ts';
import { writeSafeFile } from '../../state/output/safeFile.ts';

/** An unambiguous fix that was not written, with the reason. */
interface LeftFix {
  finding: Finding;
  why: string;
}

/**
 * Writes unambiguous fixes into the files of the findings. Rejects with a StateError if a file cannot be written, or
 * has changed since it was read.
 *
 * @param wrote receives the name of each file as soon as it is written
 * @returns the names of the files written, and the fixes that conflict with others
 */
export async function fixManifests(
  findings: readonly Finding[],
  texts: readonly ManifestText[],
  wrote: (file: string) => void,
): Promise<{ written: string[]; left: LeftFix[] }> {
  const written: string[] = [];
  const left: LeftFix[] = [];
  const ofObject = new Map<object, Fix[]>();
  for (const finding of findings) {
    const { fix, ignored } = finding;
    if (fix && !ignored) getOrAdd(ofObject, fix.of, () => []).push({ finding, changes: fix.changes });
  }
  for (const text of texts) {
    const { file } = text;
    const fixes = text.manifests.flatMap(({ object, within }) =>
      (ofObject.get(object) ?? []).map((fix) => ({ ...fix, within })),
    );
    if (fixes.length === 0) continue;
    if (file === undefined || !text.isWhole) {
      const why = text.isWhole
        ? 'it is not a separate UTF-8 file'
        : 'another document of its file cannot be read';
      left.push(...fixes.map(({ finding }) => ({ finding, why })));
      continue;
    }
    const mended = mendedBy(text, fixes);
    left.push(...mended.left);
    if (mended.text === text.text) continue;
    if (!(await readWritten(file, [])).equals(Buffer.from(text.text)))
      throw new StateError(`${file}: it has changed since it was read, so nothing was written; try again`);
    await writeSafeFile(file, [mended.text], { toStdout: () => Promise.resolve(), holdsState: false });
    wrote(file);
    written.push(file);
  }
  return { written, left };
}

interface Fix {
  finding: Finding;
  changes: readonly DataChange[];
}

type PlacedFix = Fix & Pick<ManifestText['manifests'][number], 'within'>;

/** A text with all changes; if they conflict, with each one that is compatible with those before it. */
function mendedBy(text: ManifestText, fixes: readonly PlacedFix[]): { text: string; left: LeftFix[] } {
  const all = fixedText(text, changesOf(fixes));
  if ('text' in all) return { text: all.text, left: [] };
  const kept: PlacedFix[] = [];
  const left: LeftFix[] = [];
  let after = text.text;
  for (const fix of fixes) {
    const mended = fixedText(text, changesOf([...kept, fix]));
    if ('text' in mended) {
      kept.push(fix);
      after = mended.text;
    } else left.push({ finding: fix.finding, why: mended.why });
  }
  return { text: after, left };
}

/** Changes by document, with paths relative to it. */
function changesOf(fixes: readonly PlacedFix[]): ReadonlyMap<number, readonly DataChange[]> {
  const changes = new Map<number, DataChange[]>();
  for (const { within, changes: own } of fixes)
    for (const change of own)
      getOrAdd(changes, within.document, () => []).push({
        ...change,
        path: [...within.path, ...change.path],
      });
  return changes;
}
