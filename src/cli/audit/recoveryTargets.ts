import type { RecoveryTargets } from '../../useCases/audit/auditFailover.ts';
import { duration, namespaceName } from '../values.ts';

/** The targets of `--rto 5m --rto shop=90s`. Throws a UserError that names the flag and the text. */
export function recoveryTargets(given: readonly string[]): RecoveryTargets {
  const namespaces = new Map<string, number>();
  let all: number | undefined;
  for (const text of given) {
    const at = text.indexOf('=');
    const milliseconds = duration('--rto', text.slice(at + 1));
    if (at === -1) all = milliseconds;
    else namespaces.set(namespaceName('--rto', text.slice(0, at)), milliseconds);
  }
  return { all, namespaces };
}
