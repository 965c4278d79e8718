import type { Finding } from '../../analysis/findings/finding.ts';
import type { DataChange } from '../../kubernetes/dataChange.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { StateError } from '../../state/errors.ts';
import { readWritten } from '../../state/input/writtenText.ts';
import { mendedText } from '../../state/manifests/mendedText.ts';
import type { ManifestText } from '../../state/manifests/readManifests.ts';
import { writeSafeFile } from '../../state/output/safeFile.ts';

/**
 * Writes what is certain into the files that findings are about, and gives the names of the files written. Rejects with a StateError if a
 * file cannot be written, or somebody else has written it since it was read.
 *
 * @param wrote gets the name of each file as soon as it is written
 */
export async function mendManifests(
  findings: readonly Finding[],
  texts: readonly ManifestText[],
  wrote: (file: string) => void,
): Promise<string[]> {
  const written: string[] = [];
  const ofObject = new Map<object, DataChange[]>();
  for (const { fix, ignored } of findings)
    if (fix && !ignored) getOrAdd(ofObject, fix.of, () => []).push(...fix.changes);
  for (const text of texts) {
    const { file, manifests } = text;
    const changes = new Map<number, DataChange[]>();
    for (const { object, within } of manifests)
      for (const change of ofObject.get(object) ?? [])
        getOrAdd(changes, within.document, () => []).push({
          ...change,
          path: [...within.path, ...change.path],
        });
    const after = file === undefined || changes.size === 0 ? undefined : mendedText(text, changes);
    if (file === undefined || after === undefined || after === text.text) continue;
    if (!(await readWritten(file, [])).equals(Buffer.from(text.text)))
      throw new StateError(`${file}: somebody has changed it meanwhile, so nothing was written; try again`);
    await writeSafeFile(file, [after], { toStdout: () => Promise.resolve(), holdsState: false });
    wrote(file);
    written.push(file);
  }
  return written;
}
