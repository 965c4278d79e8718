import type { Controller, Wake, WakeContext } from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';

/**
 * The keys that a controller has to look at when it goes on from a start; computed once for all simulations that
 * share it.
 *
 * @param view the start, before anything is written to it
 */
export type Resumption = (
  controller: Controller,
  view: View,
  unseen: WakeContext['unseen'],
) => readonly Wake[];

/** Computes nothing before the first call. */
export function createResumption(context: Pick<WakeContext, 'configuration' | 'now'>): Resumption {
  const known = new Map<Controller['resumes'], { unseen: WakeContext['unseen']; wakes: readonly Wake[] }>();
  return ({ resumes }, view, unseen) => {
    const before = known.get(resumes);
    if (before && before.unseen === unseen) return before.wakes;
    const wakes = [...(resumes?.(view, { ...context, ...(unseen && { unseen }) }) ?? [])];
    known.set(resumes, { unseen, wakes });
    return wakes;
  };
}
