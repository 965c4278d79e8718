import { afterAll, describe, expect, test } from '@jest/globals';
import { LARGEST_PEM, MIB, readAllPieces, wholeFile, wholeText } from '../../../src/state/input/wholeFile.ts';
import { whyUnreadable } from '../../../src/state/systemProblem.ts';
import { TemporaryFiles } from '../temporaryFiles.ts';

const files = new TemporaryFiles();
afterAll(() => files.remove());

describe('the content of a whole file', () => {
  test('may have exactly the maximum size', async () => {
    const path = files.write('exact.txt', 'x'.repeat(100_000));
    expect(await wholeFile(path, 100_000)).toEqual(Buffer.from('x'.repeat(100_000)));
    await expect(wholeFile(path, 99_999)).rejects.toThrow('is larger than');
    expect(await wholeFile(files.write('empty.txt', ''), 0)).toEqual(Buffer.alloc(0));
  });

  test('is decoded as text without its byte order mark', async () => {
    const text = 'ü'.repeat(70_000);
    expect(await wholeText(files.write('text.txt', `\ufeffx${text}`), MIB)).toBe(`x${text}`);
    await expect(wholeText(files.write('large.txt', text), 99_999)).rejects.toThrow('is larger than');
  });

  test('is refused if the file has no end', async () => {
    const problem = await wholeFile('/dev/zero', LARGEST_PEM).catch(whyUnreadable);
    expect(problem).toBe('is larger than 16 MiB; check the path');
  });

  test('is refused as soon as it exceeds the maximum size', async () => {
    let given = 0;
    function* pieces() {
      for (;;) {
        given++;
        yield Buffer.alloc(MIB);
      }
    }
    await expect(readAllPieces(pieces(), 3 * MIB)).rejects.toThrow('is larger than 3 MiB');
    expect(given).toBe(4);
  });
});
