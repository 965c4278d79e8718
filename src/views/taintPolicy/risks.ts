import type { SourcePlace } from '../../analysis/findings/finding.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, warn } from '../../presentation/words.ts';
import { formatPlace } from '../words/names.ts';

/** A risk in words. */
export interface ToldRisk {
  code: string;
  message: string;
  policy?: string | undefined;
  field?: string | undefined;
  place?: SourcePlace | undefined;
  /** whether it stops the change until it is accepted */
  stops: boolean;
  accepted: boolean;
  /** gates and flags that count as off only by a default that nobody has confirmed */
  assumed?: readonly string[] | undefined;
}

/** The risks of a change, a row each. */
export function riskRows(risks: readonly ToldRisk[]): Block {
  return {
    type: 'section',
    title: 'Risks',
    blocks: [
      {
        type: 'rows',
        rows: risks.map(({ code, message, policy, place, stops, accepted }): Words[] => {
          const where = place ? `${formatPlace(place)}: ` : '';
          const whose = policy === undefined ? '' : `${policy}: `;
          return [
            stops && !accepted ? bad(code) : warn(code),
            `${where}${whose}${message}${accepted ? ' (accepted)' : ''}`,
          ];
        }),
      },
    ],
  };
}

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
