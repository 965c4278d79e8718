import { isMainThread, parentPort } from 'node:worker_threads';
import type { Action } from '../../../views/dashboard/actions/action.ts';
import type { ActionNews } from '../../../views/dashboard/actions/actionShown.ts';
import type { StateFlags } from '../../stateRequest.ts';
import { actionsHere } from './actionsHere.ts';

/** Messages to the thread of an action. */
export type ToAction = 'confirm' | 'stop';

/** Runs in its own thread: plans an action, carries it out once confirmed, and reports its progress. */
export function serveAction({ flags, action }: { flags: StateFlags; action: Action }): void {
  if (isMainThread || !parentPort) throw new Error('this runs in a thread of its own');
  const port = parentPort;
  const begun = actionsHere(flags).begin(action, (news: ActionNews) => {
    port.postMessage(news);
    if (news.type === 'ended') port.close();
  });
  port.on('message', (message: ToAction) => {
    if (message === 'confirm') begun.confirm();
    else begun.stop();
  });
}
