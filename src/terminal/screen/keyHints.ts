import type { Words } from '../../presentation/model.ts';
import { lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { faint, joined, strong } from '../../presentation/words.ts';

/** The last line of a screen: as many keys ("/ filter") as fit; the last two are the last to go. */
export function keyHints(keys: readonly string[], columns: number): Line {
  let shown = [...keys];
  const text = () =>
    shown.map((key): Words => [strong(key.split(' ')[0]!), faint(` ${key.split(' ').slice(1).join(' ')}`)]);
  while (shown.length > 1 && lineWidth(wordsLine(joined(text(), '   '))) > columns)
    shown = shown.toSpliced(Math.max(0, shown.length - 3), 1);
  return wordsLine(joined(text(), '   '));
}
