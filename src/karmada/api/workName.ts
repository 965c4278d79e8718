import { utf8Bytes } from '../../kubernetes/utf8.ts';
import type { ObjectIdentity } from './meta.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The name of a resource's Works, the same in the execution namespace of every cluster: the resource's name and a hash
 * of namespace, name and kind (Karmada v1.18, pkg/util/names).
 */
export function workName({ kind, namespace, name }: ObjectIdentity): string {
  const own = name.replaceAll(':', '.').toLowerCase();
  const hashed = `${namespace ? `${namespace}-` : ''}${own}-${kind}`.toLowerCase();
  const digits = String(fnv32a(hashed));
  let suffix = '';
  for (let at = 0; at < digits.length; at++) suffix += ALPHABET[digits.charCodeAt(at) % ALPHABET.length]!;
  return `${own}-${suffix}`;
}

/** The 32 bit FNV-1a hash of a text's bytes. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return fnv32aOf(utf8Bytes(text));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv32aOf(bytes: readonly number[]): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}
