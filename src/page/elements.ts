/** An element with attributes and children; strings become text nodes, never markup. */
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

/** An existing element of the page. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Draws once before the next frame, however often it is called. */
export function oncePerFrame(draw: () => void): () => void {
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

/** Scales a canvas to the screen's resolution and clears it; undefined if it has no size. */
export function clearCanvas(
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

/** Whether the page is laid out for paper, in its width and colours. */
export function isPrinted(): boolean {
  return root.dataset.printed !== undefined;
}

/** Lays the page out for paper while printing: `before` and `after` redraw it, `before` with the paper style in effect. */
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
