// node scripts/run-ts.mjs test/e2e/throughput.ts [--workloads N --only NAME,…]: bindings evicted per second when a cluster is tainted, by
// Karmada's own taint manager and by ours, each on a new test bed with simulated clusters.
import { commandOptions, wholeNumber } from '../commandOptions.ts';
import { takeDownAbandoned } from './controlPlane/abandonedBeds.ts';
import { defaultOptions, say, up, type Bed } from './controlPlane/bed.ts';
import { buildMissing, hasGo } from './controlPlane/binaries.ts';
import { eventually } from './controlPlane/processes.ts';
import { controllerProcesses, OFF, SAID } from './controllerProcess.ts';
import { enact } from './happening.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { installDesign } from './installDesign.ts';
import { playSimulatedClusters } from './members/simulatedClusters.ts';
import { startMonitor, type Monitor } from './monitor.ts';
import { aggregated, on } from './placements.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

const USAGE = 'usage: node scripts/run-ts.mjs test/e2e/throughput.ts [--workloads N --only NAME,…]';
const { values } = commandOptions(USAGE, {
  options: {
    workloads: { type: 'string', default: '500' },
    only: { type: 'string', default: 'karmada-default,karmada,karmada-qps,ours,proposal' },
  },
});
const workloads = wholeNumber(USAGE, 'workloads', values.workloads);

/** No pace limit. */
const UNPACED = { 'resource-eviction-rate': '100000' };
const QPS = { 'kube-api-qps': '2000', 'kube-api-burst': '4000' };

interface Side {
  what: string;
  /** flags of karmada-controller-manager */
  flags: Record<string, string>;
  /** the rules under which ours replaces it */
  ours?: 'released' | 'proposal';
}

const sides: Record<string, Side> = {
  'karmada-default': { what: "Karmada's taint manager, default flags", flags: {} },
  karmada: { what: "Karmada's taint manager, --resource-eviction-rate=100000", flags: UNPACED },
  'karmada-qps': { what: 'the same, --kube-api-qps=2000', flags: { ...UNPACED, ...QPS } },
  ours: {
    what: 'controller run --resource-eviction-rate=100000',
    flags: { ...OFF, ...QPS },
    ours: 'released',
  },
  proposal: { what: 'the same, --karmada-version=proposal', flags: { ...OFF, ...QPS }, ours: 'proposal' },
};

if (!hasGo()) {
  console.log('skipped: the test bed is built with Go, and no go was found on the PATH');
  process.exit(0);
}
buildMissing(console.log, 'designed');
await takeDownAbandoned();
for (const name of values.only.split(',')) {
  const side = sides[name];
  if (!side) throw new Error(`no ${name}: ${Object.keys(sides).join(', ')}`);
  const { evicted, seconds, first } = await measure(side);
  const rate = (evicted - 1) / seconds;
  console.log(
    `${side.what}: ${evicted} bindings in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} per second; the first after ${first.toFixed(1)} s`,
  );
}

/** Seconds from the first eviction to the last one, and from the taint to the first one, as reported by a watch. */
async function measure({ flags, ours }: Side): Promise<{ evicted: number; seconds: number; first: number }> {
  const controllerManager = {
    'enable-no-execute-taint-eviction': 'true',
    'graceful-eviction-timeout': '1h',
    'cluster-monitor-grace-period': '24h',
    'cluster-startup-grace-period': '24h',
    ...flags,
  };
  const bed = await up(
    {
      ...defaultOptions,
      members: [],
      controllerManager,
      featureGates: { Failover: true },
      readyAfter: 1,
      ...(ours === 'proposal' ? { build: 'designed' } : {}),
    },
    say,
  );
  const clusters = playSimulatedClusters(bed.api(), 1);
  const controllers = controllerProcesses(bed.kubeconfig, [
    ...['--feature-gates=Failover=true', '--bind-address=0'],
    ours === 'proposal' ? '--karmada-version=proposal' : '--enable-no-execute-taint-eviction=true',
    ...[`--resource-eviction-rate=${UNPACED['resource-eviction-rate']}`, ...SAID],
  ]);
  const clean = () => void bed.down().finally(() => process.exit(130));
  process.once('SIGINT', clean);
  try {
    if (ours === 'proposal') await installDesign(bed);
    await clusters.join([
      { name: 'c1', pods: 110_000 },
      { name: 'c2', pods: 100_000 },
    ]);
    await createAll(bed.api(), [namespace('load')]);
    for (let i = 0; i < workloads; i += 10)
      await Promise.all(
        Array.from({ length: Math.min(10, workloads - i) }, (_, j) => {
          const object = deployment('load', `app-${i + j}`, 2);
          const placement = { ...on('c1', 'c2'), replicaScheduling: aggregated };
          return createAll(bed.api(), [object, policyFor(object, placement)]);
        }),
      );
    await eventually('a load that is ready', () => isReady(bed), { within: 600_000, every: 1000 });
    if (ours) await controllers.start().leads();
    const monitor = await startMonitor(bed);
    await eventually('all bindings', () => Promise.resolve(monitor.newest.size === workloads));
    const began = Date.now();
    await enact(bed.api(), { taint: { cluster: 'c1', key: 'throughput', effect: 'NoExecute' } });
    await eventually('all evictions', () => Promise.resolve(evictions(monitor).length === workloads), {
      within: 1_800_000,
      every: 500,
    });
    const times = evictions(monitor);
    await monitor.stop();
    return {
      evicted: times.length,
      seconds: (times.at(-1)! - times[0]!) / 1000,
      first: (times[0]! - began) / 1000,
    };
  } finally {
    process.off('SIGINT', clean);
    await controllers.stop();
    await clusters.stop();
    await bed.down();
  }
}

async function isReady(bed: Bed): Promise<boolean> {
  const found = await bindings(bed);
  return (
    found.length === workloads &&
    found.every(
      ({ spec, status }) =>
        spec.clusters?.[0]?.name === 'c1' && status?.aggregatedStatus?.[0]?.health === 'Healthy',
    )
  );
}

/** When bindings were first seen without c1, epoch milliseconds, ascending. */
function evictions({ bindings }: Monitor): number[] {
  return [...bindings.values()]
    .flatMap((versions) => {
      const left = versions.find(({ clusters }) => clusters.length === 0 || clusters[0]?.name !== 'c1');
      return left && versions[0]!.clusters.length > 0 ? [left.time] : [];
    })
    .sort((a, b) => a - b);
}
