import { presentable } from '../presentation/presentable.ts';
import { sayNote } from '../terminal/messages.ts';

/** Says that a file that was there has been replaced by what was asked for, as shells do without a word. */
export function sayReplaced(file: string): void {
  sayNote(`${presentable(file)} was there already, and has been replaced.`);
}
