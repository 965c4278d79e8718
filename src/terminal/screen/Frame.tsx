import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Row } from './Row.tsx';
import type { ScreenSize } from './screenLine.ts';

/** The smallest screen that shows more than a sentence. */
const LEAST = { columns: 20, rows: 8 };

/** A screen: the parts above and below `children`, which change most and take the rows between. */
export function Frame({
  size: { columns, rows },
  above,
  below,
  children,
}: {
  size: ScreenSize;
  above: ReactNode;
  below: ReactNode;
  children: ReactNode;
}) {
  if (columns < LEAST.columns || rows < LEAST.rows)
    return <Row line={[`Too small: min ${LEAST.columns}×${LEAST.rows}`]} />;
  return (
    <>
      {above}
      <Box flexDirection="column" flexGrow={1} flexBasis={0}>
        {children}
      </Box>
      {below}
    </>
  );
}
