/** Foreign text (file names, values, what servers say) as one line: control characters and line breaks become blanks. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{C}|\s/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
