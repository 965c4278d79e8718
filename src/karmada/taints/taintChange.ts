import type { TaintEffect } from '../api/meta.ts';

/** A taint that is added to a cluster, or removed. */
export interface TaintChange {
  taint: { key: string; value?: string; effect: TaintEffect };
  /** it is removed; its value does not matter then */
  removed?: true;
}

const EFFECTS = 'NoSchedule|NoExecute|PreferNoExecute';
const TAINT = new RegExp(`^([^:=]+)(?:=([^:=]*))?:(${EFFECTS})(-?)$`);

/**
 * Parses `KEY[=VALUE]:EFFECT`, with a trailing - to remove the taint, as in `kubectl taint`; undefined if the text is
 * invalid.
 */
export function taintChangeIn(text: string): TaintChange | undefined {
  const parts = TAINT.exec(text);
  if (!parts) return undefined;
  const [, key = '', value, effect, minus] = parts;
  const taint = { key, ...(value === undefined ? {} : { value }), effect: effect as TaintEffect };
  return minus ? { taint, removed: true } : { taint };
}

/** Why a text is not a valid taint change, with the expected form. */
export function problemOfTaintChange(text: string): string {
  const [subject = '', effect, ...more] = text.split(':');
  const effects = EFFECTS.replaceAll('|', ', ');
  if (effect === undefined) return 'add : and an effect, such as :NoExecute';
  if (more.length > 0) return 'only one : before the effect';
  if (!/^[^=]/.test(subject)) return 'begin with the key of the taint';
  if (subject.split('=').length > 2) return 'only one = between key and value';
  return effect === '' ? `add an effect: ${effects}` : `"${effect}" is not an effect: ${effects}`;
}
