import { characterWidth } from './displayWidth.ts';

/** Our characters beyond ASCII, and what stands for each of them, in as many columns. */
const OURS: Readonly<Record<string, string>> = {
  ...{ '…': '~', '×': 'x', '÷': '/', '±': '~', '–': '-', '−': '-', '━': '-', '·': '.', '’': "'", '∞': '*' },
  ...{
    '→': '>',
    '←': '<',
    '↑': '^',
    '↓': 'v',
    '⇧': '^',
    '›': '>',
    '▸': '>',
    '✗': 'x',
    '✓': '+',
    µ: 'u',
    μ: 'u',
  },
  ...{ '█': '#', '▓': '=', '▒': '%', '░': '.', '▏': '_' },
  ...{ '▁': '_', '▂': '.', '▃': ':', '▄': '-', '▅': '=', '▆': '+', '▇': '*' },
};

/** A text for terminals that show only ASCII, as wide as before; characters of others become "?". */
export function ascii(text: string): string {
  return text.replace(/\P{ASCII}/gu, (character) => OURS[character] ?? '?'.repeat(characterWidth(character)));
}
