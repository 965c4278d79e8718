import type { TaintEffect } from './api/meta.ts';

/** A taint that comes to a cluster, or goes. */
export interface TaintChange {
  taint: { key: string; value?: string; effect: TaintEffect };
  /** it goes; its value does not matter then */
  removed?: true;
}

const TAINT = /^([^:=]+)(?:=([^:=]*))?:(NoSchedule|NoExecute|PreferNoExecute)(-?)$/;

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
