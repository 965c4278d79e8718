import { Box, Text } from 'ink';
import { createContext, useContext } from 'react';
import { lineText } from '../../presentation/text/renderText.ts';
import type { Line } from '../../presentation/text/spans.ts';
import { plainStyle } from '../../presentation/text/style.ts';

/** How tones look in everything inside. */
export const StyleContext = createContext(plainStyle);

/** Lines below one another, each in one row and cut at the terminal's width. */
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
