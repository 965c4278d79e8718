import { Box, Text } from 'ink';
import { createContext, useContext } from 'react';
import { lineText } from '../../presentation/text/renderText.ts';
import type { Line } from '../../presentation/text/spans.ts';
import { plainStyle } from '../../presentation/text/style.ts';

/** How tones look in all that is within. */
export const StyleContext = createContext(plainStyle);

/** Lines beneath one another, each in one row: what is too long is cut by the terminal's width. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const style = useContext(StyleContext);
  return (
    <Box flexDirection="column">
      {lines.map((line, index) => (
        // an empty text would take no row
        <Text key={index} wrap="truncate">
          {lineText(line, style) || ' '}
        </Text>
      ))}
    </Box>
  );
}
