import { ascii } from '../presentation/text/style.ts';
import { showsUnicode } from './showsUnicode.ts';

/**
 * A text as a stream can show it: in ASCII on a terminal whose locale is not UTF-8. Who reads a pipe or a file is another program, and gets
 * it as it is.
 */
export function inLocale(text: string, { isTTY }: { isTTY?: boolean | undefined }): string {
  return isTTY && !showsUnicode(process.env) ? ascii(text) : text;
}
