import type { Writable } from 'node:stream';

/**
 * Passes each line written to a stream, such as warnings of the server, to `take` instead, until the returned function is called. A line
 * may arrive in pieces.
 */
export function redirectLines(stream: Writable, take: (line: string) => void): () => void {
  const write = stream.write;
  let rest = '';
  stream.write = (text: string | Uint8Array) => {
    const lines = `${rest}${Buffer.from(text as string).toString()}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) take(line);
    return true;
  };
  return () => {
    stream.write = write;
    if (rest !== '') take(rest);
  };
}
