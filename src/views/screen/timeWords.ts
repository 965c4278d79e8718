import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import type { TimeContext } from './screenList.ts';
import { rfc3339 } from '../../kubernetes/time.ts';

/** Follows an instant that depends on an unverified flag. */
export const UNVERIFIED = '?';
/** The same inside a sentence. */
export const ESTIMATED = ' (estimate)';

/** Columns of a bar to a deadline. */
const BAR = 10;

/**
 * "██████░░░░ 3m12s": the elapsed part of the time between two instants (epoch milliseconds), and the rest. `isStuck`: the awaited event
 * will not come.
 */
export function deadlineWords(from: number, to: number, isStuck: boolean, { now, bar }: TimeContext): Words {
  const share = to <= from ? 1 : Math.min(1, Math.max(0, (now - from) / (to - from)));
  const over = Math.floor(share * BAR);
  const tone = isStuck || share > 0.8 ? asBad : share > 0.5 ? asWarning : asGood;
  return [tone(bar.done.repeat(over)), asFaint(bar.toCome.repeat(BAR - over)), ' ', timeLeftWords(to, now)];
}

/** The meaning of the marks of such bars; nothing if no item has a deadline. */
export function barLegend(
  items: readonly { deadline?: string | number | null | undefined }[],
  { bar }: TimeContext,
): string | undefined {
  return items.some(({ deadline }) => deadline !== undefined && deadline !== null)
    ? `${bar.done} past`
    : undefined;
}

/** "3m12s": the time left until an instant (epoch milliseconds). */
export function timeLeftWords(to: number, now: number): Words {
  return to <= now ? asBad('over') : duration(to - now);
}

/** "live 12:00:03Z", or "no answer for 12s: may be stale"; instants are epoch milliseconds of the server's clock. */
export function liveWords(staleSince: number | undefined, now: number): Words {
  if (staleSince === undefined) return [asGood('live'), asFaint(` ${rfc3339(now).slice(11)}`)];
  return asBad(`no answer for ${duration(Math.max(0, now - staleSince))}: may be stale`);
}
