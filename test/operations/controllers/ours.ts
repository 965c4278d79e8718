import type { NamedController } from '../../../src/karmada/controllers/controller.ts';
import { jobs } from '../../../src/karmada/controllers/registry.ts';
import type { ControllerName } from '../../../src/karmada/controllers/karmada.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import type { ControllerObserver } from '../../../src/operations/controllers/controllerHost.ts';
import { createDryRunWrites } from '../../../src/operations/controllers/dryRunWrites.ts';
import { followedBy, openLiveView, type LiveView } from '../../../src/operations/controllers/liveView.ts';
import type { OpenMirror } from '../../../src/state/live/mirrors/mirror.ts';
import { createQueueConditions } from '../../../src/operations/controllers/queueConditions.ts';
import { runOnLive } from '../../../src/operations/controllers/runOnLive.ts';
import { isUncontested, type Leadership } from '../../../src/operations/leadership.ts';
import { controllersFor } from '../../../src/karmada/running/karmadaControllers.ts';
import type { Client } from '../fakeClient.ts';

/** All controllers that a process of ours runs. */
export const ours: readonly NamedController<ControllerName>[] = controllersFor(jobs);
export const ourNames: readonly ControllerName[] = ours.map(({ name }) => name);

export interface RunOptions {
  configuration: Configuration;
  signal: AbortSignal;
  leadership?: Leadership;
  observer?: ControllerObserver<ControllerName>;
  /** writes nothing */
  observe?: boolean;
  /** reports the content of the eviction queue in conditions */
  conditions?: boolean;
}

/** Runs all of them on a control plane, as a separate process, until the signal aborts. */
export async function runOurs(client: Client, options: RunOptions): Promise<LiveView> {
  const { configuration, signal, observer } = options;
  const imagined = options.observe
    ? createDryRunWrites((kind, key, object) => live.show(kind, key, object))
    : undefined;
  const live: LiveView = openLiveView(client.server, {
    configuration,
    followed: followedBy(jobs),
    openMirror: client.openMirror as OpenMirror,
    signal,
    now: client.server.now(),
    seen: imagined?.seen,
  });
  await live.synced;
  const { pause, stopwatch } = client;
  const leadership = options.leadership ?? isUncontested(signal);
  const reported = options.conditions
    ? createQueueConditions(client.server, {
        view: live.view,
        leadership,
        pause,
        presentable: (text) => text,
      })
    : undefined;
  await runOnLive(client.server, {
    controllers: ours,
    configuration,
    live,
    pause,
    stopwatch,
    leadership,
    observer: {
      ...observer,
      reconciled(look) {
        observer?.reconciled?.(look);
        reported?.reconciled(look);
      },
    },
    instead: imagined?.api,
    localNow: () => client.server.now(),
  });
  live.stop();
  return live;
}
