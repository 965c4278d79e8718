import type { Block } from '../../presentation/model.ts';
import { bad } from '../../presentation/words.ts';

/** Why nothing is written, and what to do. */
export interface ToldRefusal {
  text: string;
  /** the flags that `text` ends with: people copy them, so they stay in one line */
  flags?: string;
}

/** A refusal in one line. */
export function refusalLine({ text, flags }: ToldRefusal): string {
  return flags === undefined ? text : `${text} ${flags}`;
}

/** A refusal, with the flags that accept it in a line to copy. */
export function refusalBlocks(refusal: ToldRefusal): Block[] {
  const { text, flags } = refusal;
  if (flags === undefined) return [{ type: 'paragraph', words: bad(`Refused: ${text}`) }];
  const command: Block = { type: 'section', inset: true, blocks: [{ type: 'command', text: flags }] };
  return [{ type: 'section', blocks: [{ type: 'paragraph', words: bad(`Refused: ${text}`) }, command] }];
}
