import type { Block } from '../../presentation/model.ts';
import { blockLines } from '../../presentation/text/blockLines.ts';
import { Lines } from './Lines.tsx';

/** Blocks of a presentation, tables included, in a given width. */
export function Blocks({
  blocks,
  columns,
  wide = false,
}: {
  blocks: readonly Block[];
  columns: number;
  wide?: boolean;
}) {
  return <Lines lines={blocks.flatMap((block) => blockLines(block, { width: columns, wide }))} />;
}
