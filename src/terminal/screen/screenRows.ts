import { lineText } from '../../presentation/text/renderText.ts';
import type { Style } from '../../presentation/text/style.ts';
import type { ScreenLine } from './screenLine.ts';

const INVERSE = { on: '\u001b[7m', off: '\u001b[27m' };

/** The lines of a screen as text for a terminal; the chosen one with its colours inverted, if there are any. */
export function screenRows(lines: readonly ScreenLine[], style: Style, coloured: boolean): string[] {
  return lines.map(({ line, chosen }) => {
    const drawn = lineText(line, style);
    return chosen && coloured ? `${INVERSE.on}${drawn}${INVERSE.off}` : drawn;
  });
}
