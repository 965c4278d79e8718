import { Box, type DOMElement } from 'ink';
import { lineWidth, type Line } from '../../presentation/text/spans.ts';
import { partsOf, type RowParts, type ScreenRow } from './screenLine.ts';

/** The text in a box of Ink's tree, without the spaces that separate it from the next one. */
interface BoxText {
  line: Line;
  /** columns that stay free at the right of the box */
  gap: number;
  chosen: boolean;
}

const texts = new WeakMap<DOMElement, BoxText>();

/** The text in this box; undefined if it contains other boxes. */
export function textIn(box: DOMElement): BoxText | undefined {
  return texts.get(box);
}

/**
 * A row over the whole width. Ink lays out boxes that declare their text widths: its own Text caches every text that it has measured, and
 * its painter parses each one on every frame (docs/dependencies.md).
 */
export function Row({ line, end, mostEnd = Infinity, chosen = false }: RowParts) {
  if (!end) return <Box ref={holding({ line, gap: 0, chosen })} height={1} flexShrink={0} />;
  return (
    <Box height={1} flexShrink={0}>
      <Box ref={holding({ line, gap: GAP, chosen })} flexGrow={1} flexBasis={0} />
      <Box ref={holding({ line: end, gap: 0, chosen })} width={Math.min(lineWidth(end), mostEnd)} />
    </Box>
  );
}

/** Columns between a line and its end. */
const GAP = 2;

/** Sets a box's content while mounted: the box may be reused. */
function holding(text: BoxText): (box: DOMElement | null) => () => void {
  return (box) => {
    if (box) texts.set(box, text);
    return () => void (box && texts.delete(box));
  };
}

/** Rows one below the other. */
export function Rows({ rows }: { rows: readonly ScreenRow[] }) {
  return rows.map((row, at) => <Row key={at} {...partsOf(row)} />);
}
