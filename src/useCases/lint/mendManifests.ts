import type { Finding } from '../../analysis/findings/finding.ts';
import { mendedText, type MendedField } from '../../state/manifests/mendedText.ts';
import { writeSafeFile } from '../../state/output/safeFile.ts';
import type { ManifestText } from '../../state/manifests/readManifests.ts';

/** What is certain to mend findings about a field: its value. The webhook and a check of the catalogue ask for it. */
const MENDS: Readonly<Record<string, Pick<MendedField, 'path' | 'value'>>> = {
  'spec.propagateDeps': { path: ['spec', 'propagateDeps'], value: true },
};

/** Writes what is certain into the files, and gives the findings that are left, with the names of the files written. */
export async function mendManifests(
  findings: readonly Finding[],
  texts: readonly ManifestText[],
): Promise<{ left: Finding[]; written: string[] }> {
  const mended = new Set<Finding>();
  const written: string[] = [];
  for (const { source, text, file } of texts) {
    if (file === undefined || file.endsWith('.json')) continue;
    const own = findings.filter(
      ({ field = '', place, ignored, object }) => MENDS[field] && !ignored && object && place.file === source,
    );
    if (own.length === 0) continue;
    const fields = own.map(({ field = '', object }) => ({
      kind: object!.kind,
      name: object!.name,
      ...MENDS[field]!,
    }));
    const after = mendedText(text, fields);
    if (after === undefined) continue;
    await writeSafeFile(file, [after], { toStdout: () => Promise.resolve(), holdsState: false });
    written.push(file);
    own.forEach((one) => mended.add(one));
  }
  return { left: findings.filter((one) => !mended.has(one)), written };
}
