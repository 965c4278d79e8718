import type { CordonResult } from '../../operations/cordon.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import { cordonList } from '../../views/cordonList.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { connectFromFlags, connectionFlags, type ConnectionFlags } from '../../cli/connection.ts';
import { dryRunFlag, type DryRun } from '../../cli/dryRun.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { Args, optional } from '../../cli/oclif/oclif.ts';
import { outputFlags } from '../../cli/outputFlags.ts';
import { print, type PrintFlags } from '../../cli/print.ts';
import { clusterArguments } from '../selection/subject.ts';
import { sayWarning } from '../../terminal/messages.ts';

/** What `cordon` and `uncordon` take. */
export const cordonArgs = {
  cluster: Args.string({ ...optional, multiple: true, description: 'names of clusters' }),
};

export const cordonFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would be written (client), and have the API server check it, too (server)',
  ),
  ...outputFlags,
  ...connectionFlags,
};

export interface CordonFlags extends ConnectionFlags, PrintFlags {
  'dry-run': DryRun;
}

/** Cordons or uncordons clusters and prints what was done, also where it ended before all were. */
export async function cordonClusters(
  action: 'cordon' | 'uncordon',
  given: string[],
  flags: CordonFlags,
): Promise<void> {
  const names = clusterArguments(given);
  if (names.length === 0) throw new UserError(`${action} takes the names of clusters, and none was given`);
  const server = await connectFromFlags(flags);
  const operations = await import('../../operations/cordon.ts');
  const interrupt = interruptible();
  const results: CordonResult[] = [];
  const dryRun = flags['dry-run'];
  try {
    const options = { dryRun, signal: interrupt.signal };
    for await (const result of operations[action](server, names, options)) {
      results.push(result);
      for (const warning of result.warnings) sayWarning(warning);
    }
  } catch (error) {
    throw (await unknownCluster(server, names, error)) ?? error;
  } finally {
    interrupt.done();
    server.close();
    if (results.length > 0) await print(cordonList({ action, dryRun, results }), flags);
  }
}

async function unknownCluster(
  server: ApiServer,
  names: string[],
  error: unknown,
): Promise<UserError | undefined> {
  if (!(error instanceof ApiError && error.status === 404)) return undefined;
  const { items } = await server.list(apiPath(CLUSTERS), { metadataOnly: true });
  const known = items.map(({ metadata }) => metadata.name).sort();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const there = known.length > 0 ? `there are ${known.slice(0, 10).join(', ')}` : 'there are no clusters';
  return new UserError(withSuggestion(`there is no cluster ${unknown}`, nearMatches(unknown, known), there));
}
