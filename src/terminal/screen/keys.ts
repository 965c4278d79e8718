import { characterAt } from '../../kubernetes/utf8.ts';
/** A key, or a typed character. */
export type Key = { name: KeyName } | { text: string };

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageUp'
  | 'pageDown'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'tab'
  | 'backTab'
  | 'interrupt'
  | 'suspend'
  | 'redraw'
  | 'clearLine';

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[5~': 'pageUp',
  '[6~': 'pageDown',
  '[Z': 'backTab',
};

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': 'interrupt',
  '\u0004': 'pageDown',
  '\u000c': 'redraw',
  '\u0015': 'clearLine',
  '\u001a': 'suspend',
};

const ESC = '\u001b';
/** What follows ESC in the sequences of terminals: CSI with parameters, or SS3. */
const SEQUENCE = /^(?:\[[0-9;?<]*[A-Za-z~]|O[A-Za-z])/;
const BEGUN = /^(?:\[[0-9;?<]*|O)?$/;
/** The longest sequence: no terminal's key has a longer one. */
const LONGEST = 32;

/**
 * The keys in a terminal's input, and an incomplete sequence at its end, whose rest may still come. Sequences of other keys are dropped.
 * @param over no more input comes: a lone ESC is the key
 */
export function keysIn(input: string, over: boolean): { keys: Key[]; rest: string } {
  const keys: Key[] = [];
  let at = 0;
  while (at < input.length) {
    const character = characterAt(input, at);
    if (character === ESC) {
      const after = input.slice(at + 1, at + 1 + LONGEST);
      const [sequence] = SEQUENCE.exec(after) ?? [];
      if (sequence === undefined) {
        if (!over && BEGUN.test(after)) return { keys, rest: input.slice(at) };
        keys.push({ name: 'escape' });
        at++;
      } else {
        const name = SEQUENCES[sequence];
        if (name) keys.push({ name });
        at += 1 + sequence.length;
      }
      continue;
    }
    const name = CONTROLS[character];
    if (name) keys.push({ name });
    else if (!/\p{Cc}/u.test(character)) keys.push({ text: character });
    at += character.length;
  }
  return { keys, rest: '' };
}
