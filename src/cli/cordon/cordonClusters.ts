import type { CordonResult } from '../../operations/cordon.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { cordonClusters as cordon, cordonsOfState } from '../../useCases/cordon/cordonClusters.ts';
import { cordonList, type CordonListInput } from '../../views/cordonList.ts';
import { connectFromFlags, type ConnectionFlags } from '../connectFromFlags.ts';
import type { DryRun } from '../flags.ts';
import { UserError } from '../errors.ts';
import { ports } from '../ports.ts';
import { print, type PrintFlags } from '../print.ts';
import { stateRequest, type StateFlags } from '../stateRequest.ts';
import { clusterArguments } from '../targets.ts';
import { cordonWarningText } from './cordonWarningText.ts';

export type CordonAction = 'cordon' | 'uncordon';

interface CordonFlags extends ConnectionFlags, StateFlags, PrintFlags {
  'dry-run': DryRun;
}

/** Cordons or uncordons clusters, and prints the results even if one fails. */
export async function cordonClusters(
  action: CordonAction,
  given: string[],
  flags: CordonFlags,
): Promise<void> {
  const names = clusterArguments(given);
  if (names.length === 0) throw new UserError(`no cluster given; name one, as in: ${action} CLUSTER`);
  const { 'dry-run': dryRun } = flags;
  if (flags.state?.length) return cordonsOfFiles(action, names, flags);
  if (flags.at !== undefined)
    throw new UserError('--at is for captured states (--state): a live control plane has its own clock');
  const server = await connectFromFlags(flags);
  const interrupt = interruptible();
  const results: CordonListInput['results'] = [];
  const notify = (result: CordonResult) => void results.push(reported(result));
  try {
    await cordon(server, action, names, { dryRun, signal: interrupt.signal }, notify);
  } finally {
    interrupt.done();
    server.close();
    if (results.length > 0) await print(cordonList({ action, dryRun, results }), flags);
  }
}

/** Prints the effect of the command on a captured state. */
async function cordonsOfFiles(action: CordonAction, names: string[], flags: CordonFlags): Promise<void> {
  if (flags['dry-run'] !== 'client')
    throw new UserError(
      '--state reads files, which this command cannot change; give --dry-run=client to see what it would do',
    );
  const planned = await cordonsOfState(stateRequest(flags), action, names, ports);
  await print(cordonList({ action, dryRun: 'client', results: planned.map(reported) }), flags);
}

/** A result with its warnings as text, for stderr. */
function reported({ cluster, changed, warnings }: CordonResult): CordonListInput['results'][number] {
  const texts = warnings.map((warning) => cordonWarningText(cluster.metadata.name, warning));
  texts.forEach(ports.warn);
  return { cluster, changed, warnings: texts };
}
