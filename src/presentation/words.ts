import type { Block, Presentation, Tone, TonedWords, Words } from './model.ts';

const toned =
  (tone: Tone) =>
  (words: Words): TonedWords => ({ tone, words });

export const asGood = toned('good');
export const asBad = toned('bad');
export const asWarning = toned('warn');
export const asFaint = toned('faint');
export const asStrong = toned('strong');

/** Whether there is nothing to read. */
export function isEmpty(words: Words): boolean {
  if (typeof words === 'string') return words === '';
  if (isList(words)) return words.every(isEmpty);
  return 'tone' in words ? isEmpty(words.words) : words.certainty === '';
}

/**
 * The non-empty parts, with a separator between them. Messages of the scheduler end in a full stop, which is dropped if something follows.
 */
export function joined(parts: readonly string[], separator: string): string;
export function joined(parts: readonly Words[], separator: string): Words;
export function joined(parts: readonly Words[], separator: string): Words {
  const there = parts
    .filter((part) => !isEmpty(part))
    .map((part, index, { length }) =>
      // joined by a space, sentences keep their full stops
      typeof part === 'string' && index < length - 1 && separator !== ' ' ? part.replace(/\.$/, '') : part,
    );
  if (there.every((part) => typeof part === 'string')) return there.join(separator);
  return there.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** The words without their tones; a doubt shows only its certainty. */
export function plain(words: Words): string {
  if (typeof words === 'string') return words;
  if (isList(words)) return words.map(plain).join('');
  return 'tone' in words ? plain(words.words) : words.certainty;
}

export function isList(words: Words): words is readonly Words[] {
  return Array.isArray(words);
}

/** Lines, one below another, as blocks. */
export function lineBlocks(lines: readonly Words[]): Block[] {
  return lines.map((words) => ({ type: 'paragraph', words }));
}

/** A presentation of lines, one below another. */
export function inLines(lines: readonly Words[]): Presentation {
  return { blocks: [{ type: 'section', blocks: lineBlocks(lines) }] };
}

/** Blocks that a small screen omits and names as this detail. */
export function asDetail(detail: string, blocks: readonly Block[]): Block[] {
  return blocks.map((block) => ({ type: 'section', detail, blocks: [block] }));
}
