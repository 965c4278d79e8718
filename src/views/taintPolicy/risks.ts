import type { SourcePlace } from '../../analysis/findings/finding.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, warn } from '../../presentation/words.ts';
import { formatPlace } from '../findings/formatPlace.ts';

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
