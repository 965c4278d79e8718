import { renderText } from '../../presentation/text/renderText.ts';
import type { Block, Presentation } from '../../presentation/model.ts';
import { faint } from '../../presentation/words.ts';
import type { Answer, TextOptions } from '../answer.ts';
import type { AnsweredAssumption } from '../assumptions.ts';

export type Shown = Pick<TextOptions, 'wide' | 'noHeaders'>;

export function presented(presentation: (shown: Shown) => Presentation): Pick<Answer, 'text'> {
  return {
    text: ({ style, wide, noHeaders }) =>
      renderText(presentation({ wide, noHeaders }), { style, wide, noHeaders }),
  };
}

export function assumptionBlocks(assumptions: AnsweredAssumption[], _wide = false): Block[] {
  const assumed = assumptions.filter((one) => one.assumed);
  if (assumed.length === 0) return [];
  const text = assumed.map(({ name, value }) => `${name}=${String(value)}`).join(', ');
  return [{ type: 'paragraph', words: faint(`Assumed: ${text}`) }];
}
