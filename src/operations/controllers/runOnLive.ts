import { setImmediate as immediate } from 'node:timers/promises';
import type { NamedController } from '../../karmada/controllers/controller.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Leadership } from '../leadership.ts';
import { pause as realPause, type Pause } from '../pause.ts';
import type { ControllerObserver, WriteApi } from './controllerHost.ts';
import type { LiveView } from './liveView.ts';
import { createLiveWrites } from './liveWrites.ts';
import { runControllers } from './runControllers.ts';

interface RunOnLiveOptions<Name extends string> {
  controllers: readonly NamedController<Name>[];
  configuration: Configuration;
  /** already synced */
  live: LiveView;
  leadership: Leadership;
  observer?: ControllerObserver<Name> | undefined;
  /** receives the writes instead of the server */
  instead?: WriteApi<Name> | undefined;
  pause?: Pause | undefined;
  /** milliseconds, to measure how long reconciles take; the process's own by default */
  stopwatch?: (() => number) | undefined;
  /** epoch milliseconds of the local clock */
  localNow: () => number;
}

/**
 * Runs controllers on a live control plane as a process that has just started: every object is new to them, and
 * earlier memories are gone. Resolves when the leadership's signal has aborted and the writes in progress are settled.
 */
export async function runOnLive<Name extends string>(
  server: ApiServer,
  options: RunOnLiveOptions<Name>,
): Promise<void> {
  const { controllers, configuration, live, leadership, observer, pause = realPause, localNow } = options;
  const { stopwatch = () => performance.now() } = options;
  const api = options.instead ?? createLiveWrites(server, { live, leadership, pause, localNow });
  await runControllers(
    controllers,
    {
      view: live.view,
      configuration,
      api,
      observer,
      now: () => server.now(),
      sleep: pause,
      stopwatch,
      breathe: () => immediate(),
      staleSince: live.staleSince,
      subscribe: live.subscribe,
    },
    { signal: leadership.signal, begins: 'fresh' },
  );
}
