import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../src/state/observation/pinoLogger.ts';
import { sayEntry, sayNote, sayTrace } from '../../src/terminal/messages.ts';

let written = '';
let write: { mockRestore(): void };
beforeEach(() => {
  written = '';
  write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => write.mockRestore());

const hostile = 'a\u001b[31m\u009b31m\u202e\u007f\u{e0041} http://jane:canary@host\nFORGED "password:';

describe('a message', () => {
  test('is one line without secrets, and nothing in it steers the terminal', () => {
    sayNote(hostile);
    expect(written).toBe('a^[[31m\\x9b31m\\u202e^?\\u{e0041} http://***@host\\nFORGED "password:\n');
  });

  test('of several lines keeps them, and no more', () => {
    sayTrace('a\n\u001b[31mb\ttoken=canary');
    expect(written).toBe('a\n^[[31mb\ttoken=***\n');
  });
});

describe('an entry of a log', () => {
  test.each([
    ['in its message', (text: string) => ({ message: text, fields: {} })],
    ['in a field', (text: string) => ({ message: 'x', fields: { cluster: text } })],
    ['as the name of a field', (text: string) => ({ message: 'x', fields: { [text]: 1 } })],
  ])('stays one line of JSON, whatever is %s', (_, given) => {
    const { message, fields } = given(hostile);
    const logger = createLogger({ verbosity: 0, form: 'json', write: sayEntry, now: () => 0 });
    logger.info(0, message, fields);
    expect(written).toMatch(/^[\x20-\x7e]*\n$/);
    expect(written).not.toContain('canary');
    expect(JSON.stringify(JSON.parse(written))).toContain(
      JSON.stringify(hostile.replace('jane:canary', '***')),
    );
  });
});
