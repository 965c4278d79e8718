const root = document.documentElement;

/** Whether the page is laid out for paper: as wide as that, and in its colours, whatever the window has. */
export function isPrinted(): boolean {
  return root.dataset.printed !== undefined;
}

/** Lays the page out for paper while it is printed: `before` and `after` draw it anew. The style is that of paper by then. */
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
