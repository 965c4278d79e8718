import { writeSafeFile } from '../state/output/safeFile.ts';
import { writeToStdout } from '../terminal/stdout.ts';

/**
 * Writes a text to a file, or to stdout if it is called "-"; packed with gzip if the name ends in .gz. Rejects with a StateError if it
 * cannot be written.
 */
export async function writeSnapshot(file: string, text: Iterable<string>): Promise<void> {
  await writeSafeFile(file, text, {
    toStdout: writeToStdout,
    holdsState: true,
    packed: file.endsWith('.gz'),
  });
}
