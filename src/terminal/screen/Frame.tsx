import { cutAtEnd, type Line } from '../../presentation/text/spans.ts';
import { Lines } from './Lines.tsx';

export interface FrameProps {
  /** columns of the terminal */
  columns: number;
  rows: number;
  /** what matters most; its first lines matter most */
  head: readonly Line[];
  /** the lines of a list that fit into `room` rows */
  list?: (room: number) => readonly Line[];
  /** the keys that can be pressed */
  hint?: Line;
  /** the hint takes the place of the last line if there is no room for both */
  hintMatters?: boolean;
}

/** A screen in fewer lines than the terminal has rows: Ink would clear a full one at every drawing. */
export function Frame(props: FrameProps) {
  return <Lines lines={frameLines(props)} />;
}

/** The lines of a frame: as much of the head as fits, an empty line and the list, an empty line and the hint. */
function frameLines({ columns, rows, head, list, hint, hintMatters = false }: FrameProps): Line[] {
  const room = Math.max(3, rows - 2);
  const lines = head.slice(0, room);
  const listed = list?.(room - lines.length - (hint ? 3 : 1)) ?? [];
  if (listed.length > 0) lines.push([], ...listed);
  if (hint && lines.length + 2 <= room) lines.push([], hint);
  else if (hint && hintMatters) lines[lines.length - 1] = hint;
  return lines.map((line) => cutAtEnd(line, columns));
}
