import type { Words } from '../../presentation/model.ts';
import { bad, faint, good } from '../../presentation/words.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { duration } from '../words/duration.ts';

/** "live 12:00:03Z", or "silent for 12s: this may be old"; instants are epoch milliseconds of the server's clock. */
export function liveWords(staleSince: number | undefined, now: number): Words {
  if (staleSince === undefined) return [good('live'), faint(` ${rfc3339(now).slice(11)}`)];
  return bad(`silent for ${duration(Math.max(0, now - staleSince))}: this may be old`);
}
