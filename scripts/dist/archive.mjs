// Archives that depend only on their content: no times, no owners, entries in the given order.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** Writes a .tar.gz. `entries`: name, content and, for executables, the mode. */
export async function writeArchive(file, entries) {
  const pack = tar.pack();
  const written = pipeline(
    pack,
    createGzip({ level: constants.Z_BEST_COMPRESSION }),
    createWriteStream(file),
  );
  for (const { name, content, mode = 0o644 } of entries)
    await new Promise((done, fail) => {
      pack.entry(
        { name, mode, mtime: new Date(0), uid: 0, gid: 0, size: content.length },
        content,
        (error) => (error ? fail(error) : done()),
      );
    });
  pack.finalize();
  await written;
}
