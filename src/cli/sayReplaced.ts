import { presentable } from '../presentation/presentable.ts';
import { sayNote } from '../terminal/messages.ts';

/** Reports that an existing file was replaced, as requested; shells do so silently. */
export function sayReplaced(file: string): void {
  sayNote(`${presentable(file)} was there already, and has been replaced.`);
}
