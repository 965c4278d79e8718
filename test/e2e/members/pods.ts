import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { ApiError, type Api } from '../controlPlane/api.ts';
import type { PlayedKind } from './playedKinds.ts';
import { wantedReplicas, type Workload } from './replicas.ts';

/** Keeps as many running Pods in a member as its workloads request, so that capacity is used. */
export async function playPods(
  api: Api,
  kinds: PlayedKind[],
  node: string,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    kinds.map(({ group, plural, kind }) => {
      const counts = new Map<string, number>();
      let queue = Promise.resolve();
      return api.follow(
        `${group}/${plural}`,
        ({ type, object }) => {
          const workload = object as Workload;
          const { namespace = '', name } = workload.metadata;
          const key = `${namespace}/${name}`;
          const [before, wanted] = [counts.get(key) ?? 0, type === 'DELETED' ? 0 : wantedReplicas(workload)];
          counts.set(key, wanted);
          const podName = (i: number) => `${name}-${kind.toLowerCase()}-${i}`;
          const path = `/api/v1/namespaces/${namespace}/pods`;
          for (let i = before; i < wanted; i++)
            queue = queue.then(() => startPod(api, path, pod(workload, podName(i), node)));
          for (let i = wanted; i < before; i++)
            queue = queue.then(() => endPod(api, `${path}/${podName(i)}`));
        },
        signal,
      );
    }),
  );
}

function pod(workload: Workload, name: string, nodeName: string): KubernetesObject {
  const { namespace = '', labels } = workload.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, ...(labels ? { labels } : {}) },
    spec: {
      ...podSpec(workload),
      nodeName,
      terminationGracePeriodSeconds: 0,
      restartPolicy: 'Always',
      // a missing dependency in the member must not keep the Pod out
      volumes: [],
    },
  } as KubernetesObject;
}

/** What a workload's replicas run; those of a custom resource without a template request nothing. */
function podSpec({ spec }: Workload): object {
  const { spec: own } = (spec.template ?? {}) as { spec?: object };
  return own ?? { containers: [{ name: 'main', image: 'registry.example/app:1' }] };
}

async function startPod(api: Api, path: string, object: KubernetesObject): Promise<void> {
  await settled(async () => {
    await api.create(path, object);
    await api.merge(`${path}/${object.metadata.name}/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  });
}

async function endPod(api: Api, path: string): Promise<void> {
  await settled(() => api.remove(`${path}?gracePeriodSeconds=0`));
}

/** Retries while the member is away; API refusals are ignored. */
async function settled(step: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ApiError) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
