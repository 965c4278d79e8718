import { Box, type DOMElement } from 'ink';
import { lineWidth, type Line } from '../../presentation/text/spans.ts';
import { partsOf, type RowParts, type ScreenRow } from './screenLine.ts';

/** The text in a box of Ink's tree, without the blanks that part it from the next one. */
interface BoxText {
  line: Line;
  /** columns at the right of the box that stay free */
  gap: number;
  chosen: boolean;
}

const texts = new WeakMap<DOMElement, BoxText>();

/** The text in this box; undefined if it holds other boxes. */
export function textIn(box: DOMElement): BoxText | undefined {
  return texts.get(box);
}

/**
 * A row over the whole width. Ink lays out boxes that say how wide their texts are: its own Text keeps every text that it has
 * ever measured, and its painter takes each one apart at every drawing (docs/dependencies.md).
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

/** Says what a box holds, as long as it does: it may hold other boxes later. */
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
