import { Box, Text } from 'ink';
import { lineText } from '../../presentation/text/renderText.ts';
import type { Style } from '../../presentation/text/style.ts';
import type { ScreenLine } from './screen.ts';

const INVERSE = { on: '\u001b[7m', off: '\u001b[27m' };

/** The lines of a dashboard; the chosen one with its colours inverted, if there are any. */
export function DashboardScreen({
  lines,
  style,
  coloured,
}: {
  lines: readonly ScreenLine[];
  style: Style;
  coloured: boolean;
}) {
  return (
    <Box flexDirection="column">
      {lines.map(({ line, chosen }, index) => {
        const text = lineText(line, style);
        return (
          // an empty text would take no row
          <Text key={index} wrap="truncate">
            {(chosen && coloured ? `${INVERSE.on}${text}${INVERSE.off}` : text) || ' '}
          </Text>
        );
      })}
    </Box>
  );
}
