import { isSelective } from '../useCases/selection/selection.ts';
import { watchFailoverStatus } from '../useCases/status/watchFailoverStatus.ts';
import { failoverStatusChanges } from '../views/status/failoverStatusChanges.ts';
import { ports } from './ports.ts';
import type { PrintFlags } from './print.ts';
import { selectionFromFlags, type SelectionFlags } from './selection.ts';
import { liveRequest, type StateFlags } from './stateRequest.ts';
import { duration } from './values.ts';
import { changePrinter, refuseUnwatchable } from './watching.ts';

/** Prints the status of failover, then each change, until the process ends. Throws a UserError for flags that a watch cannot take. */
export async function printFailoverStatus(
  cluster: string | undefined,
  flags: StateFlags & SelectionFlags & PrintFlags & { 'ready-after'?: string | undefined },
): Promise<void> {
  refuseUnwatchable(flags, 'use --namespace or --field-selector');
  const request = {
    state: liveRequest(flags),
    cluster,
    selection: selectionFromFlags(flags),
    readyAfter: duration('--ready-after', flags['ready-after']),
  };
  const selective = isSelective(request.selection);
  await watchFailoverStatus(
    request,
    (first) => changePrinter(failoverStatusChanges({ ...first, selective }), flags),
    ports,
  );
}
