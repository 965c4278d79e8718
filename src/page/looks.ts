/** Colours of the page, from its style for light, dark and paper. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The look of a phase. Patterns and heights distinguish phases without colour. */
interface Look {
  colour: string;
  pattern: 'solid' | 'rising' | 'falling' | 'dots' | 'bars' | 'cross' | 'hollow';
  /** share of the lane's height */
  height: number;
}

const READY: Look = { colour: 'ready', pattern: 'solid', height: 1 };
const LOOKS: Readonly<Record<string, Look>> = {
  ready: READY,
  starting: { colour: 'starting', pattern: 'rising', height: 1 },
  unhealthy: { colour: 'bad', pattern: 'cross', height: 1 },
  unreachable: { colour: 'bad', pattern: 'hollow', height: 1 },
  tolerating: { colour: 'waiting', pattern: 'dots', height: 1 },
  queued: { colour: 'waiting', pattern: 'bars', height: 1 },
  evicting: { colour: 'leaving', pattern: 'falling', height: 1 },
  leaving: { colour: 'leaving', pattern: 'solid', height: 0.3 },
  unmanaged: { colour: 'faint', pattern: 'bars', height: 0.5 },
  scheduling: { colour: 'bad', pattern: 'bars', height: 1 },
  gap: { colour: 'gap', pattern: 'solid', height: 0.6 },
};

/** Draws phases; create a new one if the page's colours change. */
export interface Pen {
  bar(
    context: CanvasRenderingContext2D,
    phase: string,
    box: { x: number; y: number; width: number; height: number },
  ): void;
}

export function createPen(): Pen {
  const patterns = new Map<string, CanvasPattern | string>();
  return {
    bar(context, phase, { x, y, width, height }) {
      const look = LOOKS[phase] ?? READY;
      const ink = colour(look.colour);
      const high = height * look.height;
      const top = y + (height - high) / 2;
      let fill = patterns.get(phase);
      if (fill === undefined) patterns.set(phase, (fill = patternOf(context, look.pattern, ink)));
      context.fillStyle = fill;
      context.fillRect(x, top, width, high);
      if (look.pattern === 'solid' || width < 3) return;
      context.strokeStyle = ink;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, top + 0.5, width - 1, high - 1);
    },
  };
}

const TILE = 8;

function patternOf(
  context: CanvasRenderingContext2D,
  pattern: Look['pattern'],
  ink: string,
): CanvasPattern | string {
  if (pattern === 'solid') return ink;
  const tile = document.createElement('canvas');
  tile.width = tile.height = TILE;
  const drawn = tile.getContext('2d')!;
  drawn.fillStyle = colour('paper');
  drawn.fillRect(0, 0, TILE, TILE);
  drawn.globalAlpha = 0.3;
  drawn.fillStyle = ink;
  if (pattern !== 'hollow') drawn.fillRect(0, 0, TILE, TILE);
  drawn.globalAlpha = 1;
  drawn.strokeStyle = drawn.fillStyle = ink;
  drawn.lineWidth = 2;
  drawn.beginPath();
  if (pattern === 'rising' || pattern === 'cross')
    lines(drawn, [-2, 2, 2, -2], [0, TILE, TILE, 0], [6, TILE + 2, TILE + 2, 6]);
  if (pattern === 'falling' || pattern === 'cross')
    lines(drawn, [-2, 6, 2, TILE + 2], [0, 0, TILE, TILE], [6, -2, TILE + 2, 2]);
  if (pattern === 'bars') lines(drawn, [2, 0, 2, TILE]);
  drawn.stroke();
  if (pattern === 'dots')
    for (const [x, y] of [
      [1, 1],
      [5, 5],
    ] as const)
      drawn.fillRect(x, y, 2, 2);
  return context.createPattern(tile, 'repeat') ?? ink;
}

function lines(
  context: CanvasRenderingContext2D,
  ...all: (readonly [number, number, number, number])[]
): void {
  for (const [x, y, toX, toY] of all) {
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  }
}
