import { describe, expect, test } from '@jest/globals';
import { shortLine } from '../../src/presentation/presentable.ts';

describe('a line of a message', () => {
  test('of 4000 characters is not shortened', () => {
    expect(shortLine('x'.repeat(4000))).toBe('x'.repeat(4000));
  });

  test('of more than 4000 characters keeps both ends and prints its length', () => {
    const line = `begin${'x'.repeat(2_000_000)}end`;
    const short = shortLine(line);
    expect(short).toMatch(/^beginx+ … \(2000008 characters, the middle is left out\) … x+end$/);
    expect(short.length).toBeLessThan(4100);
  });

  test('is not cut within a surrogate pair', () => {
    const short = shortLine(`x${'🙂'.repeat(4000)}x`);
    expect(short).toMatch(/^x🙂+ … .* … 🙂+x$/u);
  });
});
