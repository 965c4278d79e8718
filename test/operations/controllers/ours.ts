import type { Controller, ControllerName } from '../../../src/karmada/controllers/controller.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import type { ControllerObserver } from '../../../src/operations/controllers/controllerHost.ts';
import { createImaginedWrites } from '../../../src/operations/controllers/imaginedWrites.ts';
import {
  openLiveView,
  type LiveView,
  type OpenMirror,
} from '../../../src/operations/controllers/liveView.ts';
import { createQueueConditions } from '../../../src/operations/controllers/queueConditions.ts';
import { runOnLive } from '../../../src/operations/controllers/runOnLive.ts';
import { undisputed, type Leadership } from '../../../src/operations/leadership.ts';
import {
  controllerNames,
  followedBy,
  ourControllers,
} from '../../../src/useCases/controller/ourControllers.ts';
import type { Client } from '../fakeClient.ts';

/** All controllers that a process of ours runs. */
export const ours: readonly Controller[] = controllerNames.flatMap((name) => ourControllers[name]);
export const ourNames: readonly ControllerName[] = ours.map(({ name }) => name);

export interface RunOptions {
  configuration: Configuration;
  signal: AbortSignal;
  leadership?: Leadership;
  observer?: ControllerObserver;
  /** writes nothing */
  observe?: boolean;
  /** tells in conditions what is in the eviction queue */
  conditions?: boolean;
}

/** Runs all of them on a control plane, as a process of its own, until the signal aborts. */
export async function runOurs(client: Client, options: RunOptions): Promise<LiveView> {
  const { configuration, signal, observer } = options;
  const imagined = options.observe
    ? createImaginedWrites((kind, key, object) => live.show(kind, key, object))
    : undefined;
  const live: LiveView = openLiveView(client.server, {
    configuration,
    followed: followedBy(controllerNames),
    openMirror: client.openMirror as OpenMirror,
    signal,
    now: client.server.now(),
    seen: imagined?.seen,
  });
  await live.synced;
  const { pause } = client;
  const leadership = options.leadership ?? undisputed(signal);
  const told = options.conditions
    ? createQueueConditions(client.server, {
        ...{ view: live.view, leadership, pause },
        presentable: (text) => text,
      })
    : undefined;
  await runOnLive(client.server, {
    controllers: ours,
    ...{ configuration, live, pause, leadership },
    observer: {
      ...observer,
      looked(look) {
        observer?.looked?.(look);
        told?.looked(look);
      },
    },
    instead: imagined?.api,
    localNow: () => client.server.now(),
  });
  live.stop();
  return live;
}
