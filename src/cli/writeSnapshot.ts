import { visibleJson } from '../presentation/visible.ts';
import { writeSafeFile } from '../state/output/safeFile.ts';
import { noteReplaced } from './noteReplaced.ts';
import { writeToStdout } from '../terminal/stdout.ts';

/**
 * Writes JSON to a file, or to stdout if it is "-"; gzip-compressed if the name ends in .gz. Control characters are
 * escaped, because the file may be printed on a terminal later. Reports a replaced file. Rejects with a StateError if
 * the file cannot be written.
 */
export async function writeSnapshot(file: string, text: Iterable<string>): Promise<void> {
  const isReplaced = await writeSafeFile(file, escaped(text), {
    toStdout: writeToStdout,
    holdsState: true,
    packed: file.endsWith('.gz'),
  });
  if (isReplaced) noteReplaced(file);
}

function* escaped(text: Iterable<string>): Generator<string> {
  for (const piece of text) yield visibleJson(piece);
}
