import { openStateToRead } from '../../useCases/state/openState.ts';
import { isPolicy, knownPolicy, withoutKind } from '../../useCases/taintPolicy/knownPolicy.ts';
import { UserError } from '../errors.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { ports } from '../ports.ts';
import { stateRequest, type StateFlags } from '../stateRequest.ts';
import { runChange, type ChangeFlags } from './runChange.ts';

export type DeleteFlags = ChangeFlags &
  Omit<StateFlags, 'selector'> & { 'ignore-not-found'?: boolean | undefined };

/** Deletes the ClusterTaintPolicies of these names, as the flags say. Returns the exit code. */
export async function deleteTaintPolicies(given: readonly string[], flags: DeleteFlags): Promise<number> {
  if (given.length === 0) throw new UserError('no policy given; name one, as in: taint-policy delete NAME');
  const state = await openStateToRead(stateRequest(flags), ports);
  try {
    const { world } = state;
    const asked = withoutKind(given).filter((name) => !flags['ignore-not-found'] || isPolicy(name, world));
    const names = [...new Set(asked.map((name) => knownPolicy(name, world)))];
    // as kubectl, which prints nothing then
    if (names.length === 0 && flags.output === undefined && flags['save-state'] === undefined) return EXIT_OK;
    const change = {
      action: 'delete',
      written: [],
      applied: [],
      deleted: names,
      manifests: new Map(),
      refusals: [],
    } as const;
    return await runChange(state, change, flags, { fieldManager: 'karmada-failover', force: false });
  } finally {
    state.server?.close();
  }
}
