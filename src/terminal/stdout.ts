/** Writes to stdout; resolves when it takes more, or when its reader is gone. */
export async function writeToStdout(piece: string | Uint8Array): Promise<void> {
  const { stdout } = process;
  if (!stdout.destroyed && !stdout.write(piece)) await drained(stdout);
}

/** Resolves when the stream takes more, or never will. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
