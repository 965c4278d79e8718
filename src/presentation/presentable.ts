import { redacted } from '../kubernetes/redacted.ts';
import { visible } from './visible.ts';

/** Text of others as every renderer shows it: no secrets, and no characters that hide or steer a terminal. Our own text stays as it is. */
export function presentable(text: string): string {
  return visible(redacted(text));
}
