/** An element with attributes and children; texts become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** An element that the page has. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Draws once before the next frame, however often it is called. */
export function onceAFrame(draw: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      draw();
    });
  };
}

/** Makes a canvas as sharp as the screen and clears it; undefined if it has no size. */
export function cleared(
  canvas: HTMLCanvasElement,
): { context: CanvasRenderingContext2D; width: number; height: number } | undefined {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return undefined;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

const root = document.documentElement;

/** Whether the page is laid out for paper: as wide as that, and in its colours, whatever the window has. */
export function isPrinted(): boolean {
  return root.dataset.printed !== undefined;
}

/** Lays the page out for paper while it is printed: `before` and `after` redraw it. The style is that of paper by then. */
export function whilePrinted(before: () => void, after: () => void): void {
  window.addEventListener('beforeprint', () => {
    root.dataset.printed = '';
    before();
  });
  window.addEventListener('afterprint', () => {
    delete root.dataset.printed;
    after();
  });
}
