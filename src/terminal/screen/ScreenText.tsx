import { Text } from 'ink';
import { lineText } from '../../presentation/text/renderText.ts';
import type { Style } from '../../presentation/text/style.ts';
import type { ScreenLine } from './screenLine.ts';

const INVERSE = { on: '\u001b[7m', off: '\u001b[27m' };

/** The lines of a screen; the chosen one with its colours inverted, if there are any. */
export function ScreenText({
  lines,
  style,
  coloured,
}: {
  lines: readonly ScreenLine[];
  style: Style;
  coloured: boolean;
}) {
  const text = lines.map(({ line, chosen }) => {
    const drawn = lineText(line, style);
    return chosen && coloured ? `${INVERSE.on}${drawn}${INVERSE.off}` : drawn;
  });
  // one text for all: a box for each line takes Ink twice as long
  return <Text wrap="truncate">{text.join('\n')}</Text>;
}
