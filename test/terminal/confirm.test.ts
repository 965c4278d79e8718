import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { confirmed } from '../../src/terminal/confirm.ts';

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
const stderr = Object.getOwnPropertyDescriptor(process, 'stderr')!;
afterEach(() => {
  Object.defineProperty(process, 'stdin', stdin);
  Object.defineProperty(process, 'stderr', stderr);
});

/** Asks, answers with the given input, and returns the screen's content and the result. */
async function asked(
  question: string,
  typed: string,
  server?: Parameters<typeof confirmed>[1],
): Promise<{ shown: string; yes: boolean }> {
  const keyboard = new PassThrough();
  const screen = new PassThrough();
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true });
  Object.defineProperty(process, 'stderr', { value: screen, configurable: true });
  const answer = confirmed(question, server);
  keyboard.end(typed);
  const yes = await answer;
  return { shown: String(screen.read()), yes };
}

describe('a confirmation prompt', () => {
  test.each([
    ['y\n', true],
    ['Yes\n', true],
    [' yes \n', true],
    ['n\n', false],
    ['yesterday\n', false],
    ['\n', false],
    ['', false],
  ])('answered with %j returns %s', async (typed, yes) => {
    expect(await asked('Begin?', typed)).toEqual({ shown: 'Begin? [y/N] ', yes });
  });

  test('names the control plane', async () => {
    const server = { url: 'https://karmada:5443', context: 'prod' };
    const { shown } = await asked('Begin?', 'n\n', server);
    expect(shown).toBe('context prod (https://karmada:5443): Begin? [y/N] ');
  });

  test('masks secrets, and escapes control characters', async () => {
    const { shown } = await asked('Drain \u001b[31mm1\u202e of http://jane:canary@host?\nAll is well', 'n\n');
    expect(shown).toBe('Drain ^[[31mm1\\u202e of http://***@host?\\nAll is well [y/N] ');
  });
});

test('Ctrl-C at a prompt ends the process', async () => {
  const ended = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const keyboard = new PassThrough();
  const screen = new PassThrough();
  Object.defineProperty(process, 'stdin', {
    value: Object.assign(keyboard, { isTTY: true, setRawMode: () => keyboard }),
    configurable: true,
  });
  Object.defineProperty(process, 'stderr', {
    value: Object.assign(screen, { isTTY: true, columns: 80 }),
    configurable: true,
  });
  const answer = confirmed('Begin?');
  keyboard.write('\u0003');
  expect(await answer).toBe(false);
  expect(ended).toHaveBeenCalledWith(130);
  ended.mockRestore();
});
