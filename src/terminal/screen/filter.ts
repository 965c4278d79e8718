/** A test for the texts of a list, and what is wrong with how it was written. */
export interface Filter {
  matches(text: string): boolean;
  problem?: string;
}

/** How much of a text is searched: an expression may take long on more. */
const LONGEST = 1000;

/**
 * Reads a filter: a regular expression; `!` before it leaves out what matches; `~` (or `-f `) finds letters in their
 * order. Case does not matter. A text that is no regular expression is searched for literally.
 */
export function filterOf(written: string): Filter {
  if (written.startsWith('!')) {
    if (written === '!') return { matches: () => true };
    const { matches, ...rest } = filterOf(written.slice(1));
    return { ...rest, matches: (text) => !matches(text) };
  }
  const [, fuzzy] = /^(?:~|-f )(.*)$/su.exec(written) ?? [];
  if (fuzzy !== undefined) return { matches: inOrder(fuzzy.toLowerCase().replaceAll(' ', '')) };
  try {
    const expression = new RegExp(written, 'iu');
    return { matches: (text) => expression.test(text.slice(0, LONGEST)) };
  } catch {
    const plain = written.toLowerCase();
    return {
      matches: (text) => text.toLowerCase().includes(plain),
      problem: 'no regular expression: looked for as it is',
    };
  }
}

function inOrder(letters: string): (text: string) => boolean {
  return (text) => {
    const lower = text.toLowerCase();
    let at = 0;
    for (const letter of letters) {
      const found = lower.indexOf(letter, at);
      if (found === -1) return false;
      at = found + letter.length;
    }
    return true;
  };
}
