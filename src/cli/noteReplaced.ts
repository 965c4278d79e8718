import { presentable } from '../presentation/presentable.ts';
import { printNote } from '../terminal/messages.ts';

/** Reports that an existing file was replaced, as requested; shells do so silently. */
export function noteReplaced(file: string): void {
  printNote(`${presentable(file)} existed and was replaced.`);
}
