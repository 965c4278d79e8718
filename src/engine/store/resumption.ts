import type { Controller, Wake, WakeContext } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';

/** Says what a controller has to look at when it goes on with a start: worked out once for those who see the same of it. */
export type Resumption = (controller: Controller, unseen: WakeContext['unseen']) => readonly Wake[];

/** @param view the start, when it is first asked for */
export function createResumption(
  view: () => View,
  context: Pick<WakeContext, 'configuration' | 'now'>,
): Resumption {
  const known = new Map<Controller['resumes'], { unseen: WakeContext['unseen']; wakes: readonly Wake[] }>();
  return ({ resumes }, unseen) => {
    const before = known.get(resumes);
    if (before && before.unseen === unseen) return before.wakes;
    const wakes = [...(resumes?.(view(), { ...context, ...(unseen && { unseen }) }) ?? [])];
    known.set(resumes, { unseen, wakes });
    return wakes;
  };
}
