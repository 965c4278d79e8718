import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../src/state/observation/pinoLogger.ts';
import {
  endMessages,
  printLogEntry,
  printError,
  printNote,
  noteOfAnswer,
  printTrace,
  printHeldMessages,
  holdMessages,
  warnOfAnswer,
} from '../../src/terminal/messages.ts';

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
  test('is one line without secrets, with control characters escaped', () => {
    printNote(hostile);
    expect(written).toBe('a^[[31m\\x9b31m\\u202e^?\\u{e0041} http://***@host\\nFORGED "password:\n');
  });

  test('of several lines keeps its line breaks, and escapes other control characters', () => {
    printTrace('a\n\u001b[31mb\ttoken=canary');
    expect(written).toBe('a\n^[[31mb\ttoken=***\n');
  });
});

describe('an entry of a log', () => {
  test.each([
    ['in its message', (text: string) => ({ message: text, fields: {} })],
    ['in a field', (text: string) => ({ message: 'x', fields: { cluster: text } })],
    ['as the name of a field', (text: string) => ({ message: 'x', fields: { [text]: 1 } })],
  ])('stays one line of JSON with hostile text %s', (_, given) => {
    const { message, fields } = given(hostile);
    const logger = createLogger({ verbosity: 0, form: 'json', write: printLogEntry, now: () => 0 });
    logger.info(0, message, fields);
    expect(written).toMatch(/^[\x20-\x7e]*\n$/);
    expect(written).not.toContain('canary');
    expect(JSON.stringify(JSON.parse(written))).toContain(
      JSON.stringify(hostile.replace('jane:canary', '***')),
    );
  });
});

describe('messages for an answer', () => {
  const asTerminal = (columns: number) => {
    const before = { isTTY: process.stderr.isTTY, columns: process.stderr.columns };
    Object.assign(process.stderr, { isTTY: true, columns });
    return () => void Object.assign(process.stderr, before);
  };

  test('are printed at once if no answer is pending', () => {
    warnOfAnswer('no answer yet');
    expect(written).toBe('warning: no answer yet\n');
  });

  test('are held until the answer is printed, and printed once each', () => {
    holdMessages();
    warnOfAnswer('old');
    noteOfAnswer('the end of a recording');
    warnOfAnswer('old');
    expect(written).toBe('');
    printHeldMessages();
    expect(written).toBe('warning: old\nthe end of a recording\n');
  });

  test('precede the error if there is no answer', () => {
    holdMessages();
    warnOfAnswer('half a state');
    printError('no such cluster');
    expect(written).toBe('warning: half a state\nerror: no such cluster\n');
  });

  test('are printed if the command ends without an answer', () => {
    holdMessages();
    noteOfAnswer('nothing changed');
    endMessages();
    expect(written).toBe('nothing changed\n');
  });

  test('are reduced to the first warning on a terminal, with the flag that shows all messages', () => {
    const restore = asTerminal(40);
    holdMessages();
    noteOfAnswer('the end of a recording');
    warnOfAnswer('the version knows no such flag');
    warnOfAnswer('a policy is left out');
    printHeldMessages('--limit=0');
    restore();
    expect(written).toBe('warning: the version knows no such flag\n(2 more: --limit=0)\n');
  });

  test('wrap between words on a terminal', () => {
    const restore = asTerminal(20);
    holdMessages();
    warnOfAnswer('longer than twenty columns');
    printHeldMessages('--limit=0');
    holdMessages();
    warnOfAnswer('the first of two');
    warnOfAnswer('the second of two');
    printHeldMessages();
    restore();
    expect(written.split('\n')).toEqual([
      'warning: longer than',
      'twenty columns',
      'warning: the first',
      'of two',
      'warning: the second',
      'of two',
      '',
    ]);
  });
});
