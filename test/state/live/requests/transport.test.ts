import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, jest, test } from '@jest/globals';
import { createTransport } from '../../../../src/state/live/requests/transport.ts';

const transport = createTransport(
  { server: new URL('http://127.0.0.1:1') } as Parameters<typeof createTransport>[0],
  { insecure: false },
  undefined,
);
afterEach(() => void jest.useRealTimers());

/** A response whose body is written by a test. */
const answer = () => new PassThrough() as PassThrough & IncomingMessage;

test('a slow response is aborted ten minutes after its headers', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const dribbling = answer();
  let ended: unknown;
  transport.body(dribbling, 1 << 20).catch((error: unknown) => (ended = error));
  for (let second = 0; second < 599; second++) {
    dribbling.write(' ');
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(ended).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(ended).toMatchObject({ code: 'ETIMEDOUT', message: 'the answer does not end' });
});

test('a response is aborted above its size limit', async () => {
  const large = answer();
  large.write(Buffer.alloc(65));
  await expect(transport.body(large, 64)).rejects.toMatchObject({ code: 'ETOOLARGE' });
  expect(large.destroyed).toBe(true);
});
