import { redacted } from '../kubernetes/redacted.ts';
import { visible } from './visible.ts';

/** Text of others as every renderer shows it: no secrets, nothing that steers a terminal or hides. Our own is given back as it is. */
export function presentable(text: string): string {
  return visible(redacted(text));
}
