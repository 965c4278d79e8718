import { Worker } from 'node:worker_threads';
import { asBad, lineBlocks } from '../../../presentation/words.ts';
import type { ActionRunner } from '../../../terminal/dashboard/actions/actions.ts';
import type { ActionNews } from '../../../views/dashboard/actions/actionShown.ts';
import type { StateFlags } from '../../stateRequest.ts';
import { linesOf } from '../linesOf.ts';
import type { ToAction } from './actionWorker.ts';

/**
 * Plans and carries out each action in its own thread, so that keys and forecasts never delay a write.
 * @param file the built script that calls `serveAction` for data with an action
 */
export function actionsInThreads(flags: StateFlags, file: string): ActionRunner {
  return {
    begin(action, notify) {
      const worker = new Worker(file, { workerData: { flags: { ...flags }, action }, stderr: true });
      let isOver = false;
      const over = (news: ActionNews & { type: 'ended' }) => {
        if (!isOver) notify(news);
        isOver = true;
      };
      const failed = (why: string) =>
        over({ type: 'ended', outcome: 'failed', blocks: lineBlocks([asBad(why)]) });
      // stderr would overwrite the screen
      linesOf(worker.stderr, (line) => notify({ type: 'said', words: line }));
      worker.on('message', (news: ActionNews) => (news.type === 'ended' ? over(news) : notify(news)));
      worker.on('error', ({ message }) => failed(message));
      worker.on('exit', () => failed('its worker thread has ended'));
      const say = (message: ToAction) => worker.postMessage(message);
      return {
        confirm: () => say('confirm'),
        stop: () => say('stop'),
        kill() {
          isOver = true;
          void worker.terminate();
        },
      };
    },
  };
}
