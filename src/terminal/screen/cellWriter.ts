import { characterWidth } from '../../presentation/text/displayWidth.ts';
import { characterAt } from '../../kubernetes/utf8.ts';

/** Writes frames to a terminal: only the cells that differ from the previous frame. */
interface CellWriter {
  /** the rows of a whole screen, with Ink's colours */
  frame(rows: readonly string[]): void;
  /** the screen was overwritten or resized: the next frame is written whole */
  clear(size: { columns: number; rows: number }): void;
}

/** A character with its colours; the second half of a wide one is empty. */
interface Cell {
  text: string;
  style: string;
}

const BLANK: Cell = { text: ' ', style: '' };
/** How many unchanged cells are rewritten rather than skipped: moving the cursor takes as many bytes. */
const BRIDGE = 4;
/** Synchronized output: terminals that support it show a frame at once; others ignore it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** Sends frames through `write`, one piece for each changed frame. */
export function createCellWriter(
  write: (text: string) => void,
  size: { columns: number; rows: number },
): CellWriter {
  let { columns, rows } = size;
  let shownText: string[] = [];
  let shown: Cell[][] = [];
  let cleared = true;

  return {
    frame(lines) {
      let out = cleared ? '\u001b[0m\u001b[2J' : '';
      for (let row = 0; row < rows; row++) {
        const line = lines[row] ?? '';
        if (!cleared && line === (shownText[row] ?? '')) continue;
        const cells = cellsOf(line, columns);
        out += changesOf(row, cleared ? [] : (shown[row] ?? []), cells, columns);
        shown[row] = cells;
        shownText[row] = line;
      }
      cleared = false;
      if (out !== '') write(`${BEGIN}${out}${END}`);
    },
    clear(newSize) {
      ({ columns, rows } = newSize);
      shownText = [];
      shown = [];
      cleared = true;
    },
  };
}

/** The output that changes a row from some cells to others. */
function changesOf(row: number, before: readonly Cell[], after: readonly Cell[], columns: number): string {
  const differs = (at: number) => {
    const [a, b] = [before[at] ?? BLANK, after[at] ?? BLANK];
    return a.text !== b.text || a.style !== b.style;
  };
  const length = Math.max(before.length, after.length);
  let out = '';
  let at = 0;
  while (at < length) {
    if (!differs(at)) {
      at++;
      continue;
    }
    let from = at;
    // the second half of a wide character belongs to the first
    while (from > 0 && (after[from]?.text === '' || before[from]?.text === '')) from--;
    let to = at + 1;
    for (let next = to; next < Math.min(length, to + BRIDGE); next++) if (differs(next)) to = next + 1;
    while (to < length && (after[to]?.text === '' || before[to]?.text === '')) to++;
    out += `\u001b[${row + 1};${from + 1}H`;
    if (from >= after.length) {
      out += '\u001b[0m\u001b[K';
      break;
    }
    out += styled(after, from, Math.min(to, columns));
    at = to;
  }
  return out;
}

function styled(cells: readonly Cell[], from: number, to: number): string {
  let out = '';
  let style = '';
  for (let at = from; at < to; at++) {
    const cell = cells[at] ?? BLANK;
    if (cell.style !== style) {
      out += cell.style === '' ? '\u001b[0m' : `\u001b[0;${cell.style}m`;
      style = cell.style;
    }
    out += cell.text;
  }
  return style === '' ? out : `${out}\u001b[0m`;
}

// eslint-disable-next-line no-control-regex
const SGR = /\u001b\[([0-9;]*)m/y;

/** A line of text with colours as cells, without trailing spaces. */
function cellsOf(line: string, columns: number): Cell[] {
  const cells: Cell[] = [];
  const active: string[] = [];
  let style = '';
  let at = 0;
  while (at < line.length) {
    SGR.lastIndex = at;
    const [sequence, codes] = SGR.exec(line) ?? [];
    if (sequence !== undefined) {
      for (const code of (codes || '0').split(';')) apply(code, active);
      style = active.join(';');
      at += sequence.length;
      continue;
    }
    const character = characterAt(line, at);
    at += character.length;
    const width = characterWidth(character);
    if (width === 0) {
      const last = cells.findLast(({ text }) => text !== '');
      if (last) last.text += character;
      continue;
    }
    if (cells.length + width > columns) break;
    cells.push({ text: character, style });
    if (width === 2) cells.push({ text: '', style });
  }
  while (isBlank(cells.at(-1))) cells.pop();
  return cells;
}

function isBlank(cell: Cell | undefined): boolean {
  return cell?.text === ' ' && cell.style === '';
}

/** The codes that each end-of-colour code cancels. */
const ENDS: Readonly<Record<string, RegExp>> = {
  0: /./,
  22: /^[12]$/,
  23: /^3$/,
  24: /^4$/,
  27: /^7$/,
  29: /^9$/,
  39: /^(?:3[0-7]|9[0-7])$/,
  49: /^(?:4[0-7]|10[0-7])$/,
};

function apply(code: string, active: string[]): void {
  const ended = ENDS[code];
  if (!ended) return void (active.includes(code) || active.push(code));
  active.splice(0, Infinity, ...active.filter((one) => !ended.test(one)));
}
