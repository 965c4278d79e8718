import { redacted } from '../kubernetes/redaction/redacted.ts';
import { visible, visibleLines } from './visible.ts';

/**
 * Foreign text as every renderer shows it: without secrets, invisible characters and terminal control characters. Our
 * own text stays as it is.
 */
export function presentable(text: string): string {
  return visible(redacted(text));
}

/** Like `presentable`, for text of several lines: its line breaks and tabs are ours, and stay. */
export function presentableLines(text: string): string {
  return visibleLines(redacted(text));
}
