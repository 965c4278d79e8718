// node scripts/run-ts.mjs test/e2e/recordDrain.ts: records a drain on real Karmada, for test/operations/drain/recordedPlane.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { DrainOptions } from '../../src/engine/drain/drainOptions.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { slimServer } from '../../src/operations/drain/slimServer.ts';
import { connect } from '../../src/state/live/connect.ts';
import { drainOf } from '../engine/drain/drainOf.ts';
import { v1_18 } from '../dialects.ts';
import { defaultOptions, up } from './controlPlane/bed.ts';
import { buildMissing } from './controlPlane/binaries.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { byWeight, on } from './placements.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

const PATHS = [
  '/apis/cluster.karmada.io/v1alpha1/clusters',
  '/apis/work.karmada.io/v1alpha2/resourcebindings',
  '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
  '/apis/work.karmada.io/v1alpha1/works',
];
const groups = (...names: string[]) => ({
  clusterAffinities: names.map((name) => ({ affinityName: name, clusterNames: [name] })),
});
const target = process.argv[2] ?? 'test/operations/drain/data/recordedDrain.json';

buildMissing(console.log);
const bed = await up(
  {
    ...defaultOptions,
    featureGates: {},
    controllerManager: { 'cluster-status-update-frequency': '5s', 'graceful-eviction-timeout': '30s' },
    readyAfter: 2,
  },
  console.log,
);
try {
  const configMap = (name: string): KubernetesObject =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'shop' },
      data: { a: 'b' },
    }) as KubernetesObject;
  const needing = deployment('shop', 'needing', 2) as KubernetesObject & {
    spec: { template: { spec: { containers: object[] } } };
  };
  needing.spec.template.spec.containers = needing.spec.template.spec.containers.map((one) => ({
    ...one,
    envFrom: [{ configMapRef: { name: 'needed' } }],
  }));
  const placed: [KubernetesObject, Parameters<typeof policyFor>[1], object?][] = [
    [deployment('shop', 'web', 2), groups('member1', 'member3')],
    [deployment('shop', 'halves', 4), { replicaScheduling: byWeight({ member1: 1, member2: 1 }) }],
    [deployment('shop', 'copied', 2), on('member1', 'member2')],
    [deployment('shop', 'pinned', 2), on('member1')],
    [needing, groups('member1', 'member2'), { propagateDeps: true }],
    [configMap('settings'), groups('member1', 'member2')],
  ];
  await createAll(bed.api(), [
    namespace('shop'),
    configMap('needed'),
    ...placed.flatMap(([object, placement, more]) => [object, policyFor(object, placement, more)]),
  ]);
  await steadyBindings(bed, placed.length + 1);
  await sleep(20_000);

  const server = slimServer(await connect({ kubeconfig: bed.kubeconfig }));
  const objects: KubernetesObject[] = [];
  for (const path of PATHS)
    await server.list(path, { onPage: (page) => void objects.push(...page.filter(isOurs)) });
  const start = Date.now();
  const at = () => Date.now() - start;
  const events: { at: number; type: string; object: KubernetesObject }[] = [];
  const writes: { at: number; path: string; patch: unknown; answer: unknown }[] = [];
  const abort = new AbortController();
  const watches = PATHS.map((path) =>
    bed.api().follow(
      path,
      ({ type, object }) => {
        const seen = server.slimmed(object);
        const known = objects.some((one) => one.metadata.resourceVersion === seen.metadata.resourceVersion);
        if (!known && isOurs(seen)) events.push({ at: at(), type, object: seen });
      },
      abort.signal,
    ),
  );
  await sleep(1000);
  const recorded = {
    ...server,
    async patch<T>(path: string, patch: unknown) {
      const sent = at();
      const answer = await server.patch<T>(path, patch);
      writes.push({ at: sent, path, patch, answer: server.slimmed(answer) });
      return answer;
    },
  };
  const options: DrainOptions = { ...drainOf(['member1']), accept: { ...drainOf([]).accept, blocked: true } };
  const result = await executeDrain(recorded, options, {
    configuration: {
      ...v1_18.defaults,
      controllerManager: { ...v1_18.defaults.controllerManager, 'graceful-eviction-timeout': 30_000 },
    },
    runner: 'recorder@bed',
  });
  await sleep(2000);
  abort.abort();
  await Promise.all(watches);
  console.log(result.outcome, result.reason, writes.length, 'writes', events.length, 'events');
  mkdirSync('test/operations/drain/data', { recursive: true });
  const { outcome, reason, workloads } = result;
  const ended = {
    outcome,
    reason,
    phases: Object.fromEntries(
      workloads.map(({ workload, phase }) => [`${workload.kind}/${workload.name}`, phase]),
    ),
  };
  writeFileSync(
    target,
    `${JSON.stringify({ karmada: bed.file.karmada, start, options, objects, writes, events, ended })}\n`,
  );
  server.close();
} finally {
  await bed.down();
}

/** What the drain is about: Karmada has objects of its own in every member. */
function isOurs({ kind, metadata, spec }: KubernetesObject & { spec?: unknown }): boolean {
  if (kind !== 'Work') return true;
  const manifests = (spec as { workload?: { manifests?: { metadata?: { namespace?: string } }[] } }).workload
    ?.manifests;
  return metadata.namespace !== undefined && manifests?.[0]?.metadata?.namespace === 'shop';
}
