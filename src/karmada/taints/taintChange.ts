import type { TaintEffect } from '../api/meta.ts';

/** A taint that is placed on a cluster, or goes. */
export interface TaintChange {
  taint: { key: string; value?: string; effect: TaintEffect };
  /** it goes; its value does not matter then */
  removed?: true;
}

const EFFECTS = 'NoSchedule|NoExecute|PreferNoExecute';
const TAINT = new RegExp(`^([^:=]+)(?:=([^:=]*))?:(${EFFECTS})(-?)$`);

/**
 * The change that `KEY[=VALUE]:EFFECT` stands for, with a - at the end for a taint that goes, as in `kubectl taint`;
 * undefined if the text is none.
 */
export function taintChangeIn(text: string): TaintChange | undefined {
  const parts = TAINT.exec(text);
  if (!parts) return undefined;
  const [, key = '', value, effect, minus] = parts;
  const taint = { key, ...(value === undefined ? {} : { value }), effect: effect as TaintEffect };
  return minus ? { taint, removed: true } : { taint };
}

/** Why a text stands for no change of a taint, in a few words that say what to write. */
export function problemOfTaintChange(text: string): string {
  const [subject = '', effect, ...more] = text.split(':');
  const effects = EFFECTS.replaceAll('|', ', ');
  if (effect === undefined) return 'add : and an effect, such as :NoExecute';
  if (more.length > 0) return 'only one : before the effect';
  if (!/^[^=]/.test(subject)) return 'begin with the key of the taint';
  if (subject.split('=').length > 2) return 'only one = between key and value';
  return effect === '' ? `add an effect: ${effects}` : `"${effect}" is no effect: ${effects}`;
}
