import type { CordonResult } from '../../../operations/cordon.ts';
import type { Block } from '../../../presentation/model.ts';
import { lineBlocks, asWarning } from '../../../presentation/words.ts';
import type { ApiServer } from '../../../state/live/apiServer.ts';
import { cordonClusters } from '../../../useCases/cordon/cordonClusters.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { cordonList } from '../../../views/cordonList.ts';
import { connectFromFlags } from '../../connectFromFlags.ts';
import { cordonWarningText } from '../../cordon/cordonWarningText.ts';
import type { DryRun } from '../../flags.ts';
import { ACTION_OUTPUT, reportRead, type ActionContext, NOTHING_CHANGED } from './actionContext.ts';

/** Cordons or uncordons a cluster like the commands, which read it again before writing. */
export async function cordonOrUncordon(
  action: 'cordon' | 'uncordon',
  cluster: string,
  context: ActionContext,
): Promise<ActionResult> {
  const { ask, notify, signal } = context;
  const server = await connectFromFlags(context.flags);
  try {
    const plan = await run(server, action, cluster, 'client', signal);
    reportRead(context, server);
    if (!plan.changes) return { outcome: 'nothing', blocks: plan.blocks };
    const question = `${action === 'cordon' ? 'Cordon' : 'Uncordon'} ${cluster}?`;
    if (!(await ask({ blocks: plan.blocks, question })) || signal.aborted) return NOTHING_CHANGED;
    notify({ type: 'begun' });
    const { changes, blocks } = await run(server, action, cluster, 'none', signal);
    return { outcome: changes ? 'done' : 'nothing', blocks };
  } finally {
    server.close();
  }
}

/** The planned or completed change. */
async function run(
  server: ApiServer,
  action: 'cordon' | 'uncordon',
  cluster: string,
  dryRun: DryRun,
  signal: AbortSignal,
): Promise<{ changes: boolean; blocks: readonly Block[] }> {
  const results: CordonResult[] = [];
  await cordonClusters(server, action, [cluster], { dryRun, signal }, (one) => results.push(one));
  const shown = results.map((one) => ({
    ...one,
    warnings: one.warnings.map((warning) => cordonWarningText(cluster, warning)),
  }));
  const { blocks } = cordonList({ action, dryRun, results: shown }).presentation(ACTION_OUTPUT);
  const warnings = shown.flatMap((one) => one.warnings.map(asWarning));
  return { changes: results.some(({ changed }) => changed), blocks: [...blocks, ...lineBlocks(warnings)] };
}
