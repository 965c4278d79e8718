import type { CordonResult } from '../../operations/cordon.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { sayWarning } from '../../terminal/messages.ts';
import { cordonClusters as cordon } from '../../useCases/cordon/cordonClusters.ts';
import { cordonList } from '../../views/cordonList.ts';
import { connectFromFlags, type ConnectionFlags } from '../connectFromFlags.ts';
import { connectionFlags } from '../connectionFlags.ts';
import { type DryRun, dryRunFlag, outputFlags } from '../flags.ts';
import { UserError } from '../errors.ts';
import { Args, optional } from '../oclif/oclif.ts';
import { print, type PrintFlags } from '../print.ts';
import { clusterArguments } from '../targets.ts';
import { cordonWarningText } from './cordonWarningText.ts';

/** What `cordon` and `uncordon` take. */
export const cordonArgs = {
  cluster: Args.string({ ...optional, multiple: true, description: 'names of clusters' }),
};

export const cordonFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would be written (client), or also have the API server check it (server)',
  ),
  ...outputFlags,
  ...connectionFlags,
};

export interface CordonFlags extends ConnectionFlags, PrintFlags {
  'dry-run': DryRun;
}

/** Cordons or uncordons clusters, and prints what was done even if one of them fails. */
export async function cordonClusters(
  action: 'cordon' | 'uncordon',
  given: string[],
  flags: CordonFlags,
): Promise<void> {
  const names = clusterArguments(given);
  if (names.length === 0) throw new UserError(`no cluster given; name one, as in: ${action} CLUSTER`);
  const { 'dry-run': dryRun } = flags;
  const server = await connectFromFlags(flags);
  const interrupt = interruptible();
  const results: (Omit<CordonResult, 'warnings'> & { warnings: string[] })[] = [];
  const notify = ({ cluster, changed, warnings }: CordonResult) => {
    const texts = warnings.map((warning) => cordonWarningText(cluster.metadata.name, warning));
    results.push({ cluster, changed, warnings: texts });
    texts.forEach(sayWarning);
  };
  try {
    await cordon(server, action, names, { dryRun, signal: interrupt.signal }, notify);
  } finally {
    interrupt.done();
    server.close();
    if (results.length > 0) await print(cordonList({ action, dryRun, results }), flags);
  }
}
