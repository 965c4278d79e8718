import { describe, expect, test } from '@jest/globals';
import { pause } from '../../src/operations/pause.ts';

describe('a pause', () => {
  test('may last longer than a Node.js timer', async () => {
    const stop = new AbortController();
    let over = false;
    const pausing = pause(31 * 24 * 3600_000, stop.signal).then(() => void (over = true));
    await pause(20);
    expect(over).toBe(false);
    stop.abort();
    await pausing;
  });
});
