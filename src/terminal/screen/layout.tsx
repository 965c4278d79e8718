import { EventEmitter } from 'node:events';
import { Box, render, type DOMElement } from 'ink';
import { Component, createRef, type ReactNode } from 'react';
import { concatenated, cutAtEnd, lineWidth, type Line } from '../../presentation/text/spans.ts';
import { textIn } from './Row.tsx';
import type { ScreenLine, ScreenSize } from './screenLine.ts';

/** Ink without a terminal: it lays a screen out, and the lines are read from the boxes of its tree. */
interface Layout {
  /** A screen: exactly as many lines as it has rows, none of them too wide. */
  lines(screen: ReactNode, size: ScreenSize): ScreenLine[];
  close(): void;
}

/** Opens Ink. In the bundle `loadLayout` comes first. */
export function openLayout(): Layout {
  // nothing is written: the layout is outside Ink's own page
  const none = Object.assign(new EventEmitter(), { columns: 80, rows: 24, write: () => true });
  const stdout = none as unknown as NodeJS.WriteStream;
  const options = {
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  };
  const page = createRef<DOMElement>();
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => void (failure = { error });
  let ink: ReturnType<typeof render> | undefined;
  return {
    lines(screen, { columns, rows }) {
      const element = (
        <Failing fail={fail}>
          {/* so that Ink's own page has no rows: it would paint each cell on every frame */}
          <Box ref={page} position="absolute" flexDirection="column" width={columns} height={rows}>
            {screen}
          </Box>
        </Failing>
      );
      if (ink) ink.rerender(element);
      else ink = render(element, options);
      if (failure) throw failure.error;
      const lines = Array.from({ length: rows }, (): ScreenLine => ({ line: [] }));
      if (page.current) collect(page.current, { left: 0, top: 0, right: columns, bottom: rows }, lines);
      return lines;
    },
    close: () => ink?.unmount(),
  };
}

/** Reports errors thrown by components: Ink would show them on the screen. */
class Failing extends Component<{ fail(error: unknown): void; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.fail(error);
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** The position of a box on the screen. */
interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Places the texts in a box, and in all boxes within it, where Ink laid them out. */
function collect(box: DOMElement, outer: Place, lines: ScreenLine[]): void {
  if (!box.yogaNode) return;
  const { left, top, width, height } = box.yogaNode.getComputedLayout();
  const [x, y] = [outer.left + left, outer.top + top];
  const place = {
    left: x,
    top: y,
    right: Math.min(outer.right, x + width),
    bottom: Math.min(outer.bottom, y + height),
  };
  const text = textIn(box);
  const before = lines[y];
  if (!text) {
    for (const child of box.childNodes) if (child.nodeName !== '#text') collect(child, place, lines);
  } else if (before && y < place.bottom) {
    const { line, chosen } = text;
    const room = Math.max(0, place.right - x - text.gap);
    const cut = cutAtEnd(line, room);
    const from = paddedTo(before.line, x);
    lines[y] = { line: paddedTo(concatenated(from, cut), chosen ? place.right : 0), chosen };
  }
}

function paddedTo(line: Line, columns: number): Line {
  const blanks = columns - lineWidth(line);
  return blanks > 0 ? concatenated(line, [' '.repeat(blanks)]) : line;
}
