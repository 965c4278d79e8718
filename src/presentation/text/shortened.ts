import type { Block, Section } from '../model.ts';
import { asFaint } from '../words.ts';

/** The limits of an answer's length. */
export interface Limit {
  /** the lines available on the screen; undefined: no limit */
  height?: number | undefined;
  /** the most rows of each list; undefined: limited by height only */
  rows?: number | undefined;
  /** the command that shows everything, named where the answer is cut */
  all: string;
}

/** Counts the lines of blocks, and adds omitted columns to `hidden`; if `compact`, also omits the least important columns. */
type Measure = (blocks: readonly Block[], hidden: Set<string>, compact?: boolean) => number;

/** Blocks that fit, and whether the least important columns of their tables are omitted. */
interface Shortened {
  blocks: readonly Block[];
  compact: boolean;
}

/**
 * An answer cut to the screen, in this order: details are omitted, tables lose their least important columns, lists
 * lose their last rows. The first lines, with the verdict, and the start of each list always remain. Omissions are named.
 */
export function shortened(given: readonly Block[], limit: Limit, measure: Measure): Shortened {
  const { height = Infinity, rows = Infinity, all } = limit;
  const blocks = rows === Infinity ? given : cutTo(given, () => rows, all);
  // for a long list, only the first rows can matter
  const mayFit = (some: readonly Block[]) => rowsOf(some) <= height;
  const noted = (some: readonly Block[], hidden: ReadonlySet<string>): readonly Block[] => {
    if (hidden.size === 0) return some;
    const note: Block = { type: 'oneLine', wordings: hiddenWordings([...hidden], all).map(asFaint) };
    const last = some.at(-1);
    // below the assumptions, without an empty line
    return last && endsInOneLine(last) ? [...some.slice(0, -1), inOne([last, note])] : [...some, note];
  };
  const details = new Set<string>();
  const kept = withoutDetails(blocks, details);
  for (const [some, left] of [
    [blocks, new Set<string>()],
    [kept, new Set(details)],
  ] as const) {
    if (!mayFit(some) || (height < Infinity && measure(outlined(some), new Set()) > height)) continue;
    measure(some, left);
    const whole = noted(some, left);
    if (measure(whole, left) <= height) return { blocks: whole, compact: false };
  }
  const cut = (hidden: Set<string>, shares: (at: number) => number) => {
    measure(cutTo(kept, shares, all), hidden, true);
    return cutTo(noted(kept, hidden), shares, all);
  };
  const lengths = lengthsOf(kept);
  const shares = lengths.map(() => 1);
  // other rows may leave space for other columns
  const result = () => cut(new Set(details), (at) => shares[at]!);
  const whole = cut(new Set(details), () => height);
  if (mayFit(kept) && measure(whole, new Set(), true) <= height) return { blocks: whole, compact: true };
  // each list begins with one row; the list with the fewest gets the next
  while (true) {
    const least = shares.reduce(
      (best, share, at) => (share < lengths[at]! && (best === -1 || share < shares[best]!) ? at : best),
      -1,
    );
    if (least === -1) break;
    shares[least]!++;
    if (measure(result(), new Set(), true) <= height) continue;
    shares[least]!--;
    lengths[least] = shares[least]!;
  }
  return { blocks: result(), compact: true };
}

/** The same with outlines in place of costly parts. */
function outlined(blocks: readonly Block[]): Block[] {
  return blocks.map((block): Block => {
    if (block.type === 'section') return { ...block, blocks: outlined(block.blocks) };
    if (block.type !== 'tree') return block;
    return {
      ...block,
      nodes: block.nodes.map((node) =>
        node.outline ? { mark: node.mark ?? '', words: node.words, children: node.outline } : node,
      ),
    };
  });
}

function endsInOneLine(block: Block): boolean {
  if (block.type !== 'section') return block.type === 'oneLine';
  const last = block.blocks.at(-1);
  return last !== undefined && block.title === undefined && endsInOneLine(last);
}

/** Wordings with fewer and fewer names. */
function hiddenWordings(names: readonly string[], all: string): string[] {
  return names.map((_, without) => {
    const more = without === 0 ? '' : ` and ${without} more`;
    return `Hidden: ${names.slice(0, names.length - without).join(', ')}${more} (${all} shows all)`;
  });
}

/** The blocks without pure details, or with their brief form; their names are added to `names`. */
function withoutDetails(blocks: readonly Block[], names: Set<string>): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.type !== 'section') return [block];
    if (block.detail !== undefined) {
      if (block.blocks.length > 0) names.add(block.detail);
      return [...(block.brief ?? [])];
    }
    return [{ ...block, blocks: withoutDetails(block.blocks, names) }];
  });
}

const rowsOf = (blocks: readonly Block[]) => lengthsOf(blocks).reduce((sum, length) => sum + length, 0);

/** How many rows each list has, in the order of the lists. */
function lengthsOf(blocks: readonly Block[]): number[] {
  return blocks.flatMap((block) => {
    if (block.type === 'section') return lengthsOf(block.blocks);
    const length = listLength(block);
    return length === undefined ? [] : [length];
  });
}

function listLength(block: Block): number | undefined {
  switch (block.type) {
    case 'table':
    case 'rows':
      return block.rows.length;
    case 'timeline':
      return block.steps.length;
    case 'tree':
      return block.nodes.length;
    case 'bars':
      return block.lines.length;
    default:
      return undefined;
  }
}

/** Each list limited to its number of rows, and how many rows are missing. */
function cutTo(blocks: readonly Block[], most: (list: number) => number, all: string): Block[] {
  let list = 0;
  const cut = (some: readonly Block[]): Block[] =>
    some.map((block): Block => {
      if (block.type === 'section') return { ...block, blocks: cut(block.blocks) };
      const length = listLength(block);
      if (length === undefined) return block;
      const rows = most(list++);
      if (length <= rows) return block;
      return inOne([
        begun(block, rows),
        { type: 'paragraph', words: asFaint(`… ${length - rows} more: ${all}`) },
      ]);
    });
  return cut(blocks);
}

const inOne = (blocks: readonly Block[]): Section => ({ type: 'section', blocks });

/** The first rows of a list. */
function begun(block: Block, rows: number): Block {
  switch (block.type) {
    case 'table':
    case 'rows':
      return { ...block, rows: block.rows.slice(0, rows) };
    case 'timeline':
      return { ...block, steps: block.steps.slice(0, rows) };
    case 'tree':
      return { ...block, nodes: block.nodes.slice(0, rows) };
    case 'bars':
      return { ...block, lines: block.lines.slice(0, rows) };
    default:
      return block;
  }
}
