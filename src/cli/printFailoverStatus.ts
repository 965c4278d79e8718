import { watchFailoverStatus } from '../useCases/status/watchFailoverStatus.ts';
import { failoverStatusChanges } from '../views/failoverStatusChanges.ts';
import { ports } from './ports.ts';
import type { PrintFlags } from './print.ts';
import { selectionFromFlags, type SelectionFlags } from './selection.ts';
import { stateRequest, type StateFlags } from './stateRequest.ts';
import { changePrinter, refuseUnwatchable } from './watching.ts';

/** Prints the status of failover, and again what of it changes, until the process is ended. Throws a UserError for what cannot be watched. */
export async function printFailoverStatus(
  cluster: string | undefined,
  flags: StateFlags & SelectionFlags & PrintFlags,
): Promise<void> {
  refuseUnwatchable(flags, 'use --namespace or --field-selector');
  const request = { state: stateRequest(flags), cluster, selection: selectionFromFlags(flags) };
  await watchFailoverStatus(request, (first) => changePrinter(failoverStatusChanges(first), flags), ports);
}
