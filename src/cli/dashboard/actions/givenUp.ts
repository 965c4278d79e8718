import type { ActionResult } from '../../../views/dashboard/actions/actionNews.ts';
import { lineBlocks } from '../../../presentation/words.ts';

/** The result of an action to which nobody has said yes. */
export const GIVEN_UP: ActionResult = { outcome: 'nothing', blocks: lineBlocks(['Nothing was changed.']) };
