import { UserError } from '../errors.ts';
import { sourceFlags, stateFlags } from '../flags.ts';
import { subjectAndDelay } from '../subject.ts';
import { needTerminal } from './needTerminal.ts';
import { showDashboard, type DashboardFlags } from './showDashboard.ts';

const TAKEN: ReadonlySet<string> = new Set([
  ...['interactive', 'fail', 'namespace', 'all-namespaces'],
  ...Object.keys({ ...stateFlags, ...sourceFlags }),
]);

/**
 * Opens the dashboard on the page that shows what becomes of everything if clusters fail. `root` is the package's
 * directory. Resolves with the exit code; throws a UserError for flags that say more than which clusters fail.
 */
export async function simulateInteractively(
  flags: DashboardFlags & { fail?: string[] | undefined },
  root: string,
): Promise<number> {
  const more = Object.entries(flags).find(
    ([name, value]) => value !== undefined && value !== false && !TAKEN.has(name),
  );
  if (more) throw new UserError(`--interactive shows clusters that fail now; leave --${more[0]} out`);
  const failing = (flags.fail ?? []).map((given) => {
    const { subject, after } = subjectAndDelay('--fail', given);
    if (after > 0) throw new UserError(`--interactive shows clusters that fail now; write --fail ${subject}`);
    return subject;
  });
  needTerminal('--interactive', 'leave it out, and add --timeline for every step');
  return showDashboard(flags, root, { view: 'tomorrow', failing });
}
