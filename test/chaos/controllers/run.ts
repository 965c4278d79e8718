// npm run chaos -- controller [--workloads N --faults N --kills N --seed N --rules NAME,…]: controllers replacing Karmada's evict
// from clusters that fail, one after the other, while everything around them fails, and their leaders are killed. Exit code 1 where
// something does not hold.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOptions, wholeNumber } from '../../commandOptions.ts';
import { OFF, SAID } from '../../e2e/controllerProcess.ts';
import { takeDownAbandoned } from '../../e2e/controlPlane/abandonedBeds.ts';
import { defaultOptions, say, up, type Bed } from '../../e2e/controlPlane/bed.ts';
import { buildMissing, hasGo } from '../../e2e/controlPlane/binaries.ts';
import { writeKubeconfig } from '../../e2e/controlPlane/kubeconfig.ts';
import { eventually } from '../../e2e/controlPlane/processes.ts';
import { bindings } from '../../e2e/heldAgainstSimulation.ts';
import { installDesign } from '../../e2e/installDesign.ts';
import { playSimulatedClusters } from '../../e2e/members/simulatedClusters.ts';
import { startMonitor, type Monitor } from '../../e2e/monitor.ts';
import { copyTool } from '../../e2e/tool.ts';
import { createAll, namespace } from '../../e2e/workloads.ts';
import { bindingPath, poisonedGivenUp, poisonsFor, type Finding } from '../checks.ts';
import { startFaultProxy, type Fault, type FaultProxy, type Poison } from '../faultProxy.ts';
import { labelWriter } from '../otherWriters.ts';
import { countRows, printReport, total } from '../printReport.ts';
import { seeded } from '../random.ts';
import { evictedOnce, noneLost, tasksEndReady, type Round } from './checks.ts';
import { keepLeaders, type Leaders } from './leaders.ts';
import { loadOf, NAMESPACE, taintPolicy, type ChaosWorkload, type Rules } from './load.ts';

const USAGE =
  'usage: npm run chaos -- controller [--workloads N --faults N --kills N --restarts N --seed N --rules released,proposal --poisoned]';
const { values } = commandOptions(USAGE, {
  options: {
    workloads: { type: 'string', default: '200' },
    faults: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '50' },
    /** of the API server */
    restarts: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    rules: { type: 'string', default: 'released,proposal' },
    /** some bindings cannot be written: conflicts, refusals, a webhook that reverts */
    poisoned: { type: 'boolean', default: false },
    /** the command line to run, if not the one built here */
    tool: { type: 'string' },
  },
});
const wanted = {
  workloads: wholeNumber(USAGE, 'workloads', values.workloads),
  faults: wholeNumber(USAGE, 'faults', values.faults),
  kills: wholeNumber(USAGE, 'kills', values.kills),
  restarts: wholeNumber(USAGE, 'restarts', values.restarts),
};
const seed = wholeNumber(USAGE, 'seed', values.seed);
/** Fraction of requests that meet a fault, and of writes before which another writer changes the object. */
const SHARE = 0.25;
const CONFLICTS = 0.3;
/** Seconds after which agents report their Works again. */
const REPORT_AGAIN = 15;
/** Seconds that a round may take. */
const PATIENCE = 420;

interface Report {
  rules: Rules;
  seconds: number;
  rounds: number;
  starts: number;
  terms: number;
  kills: Leaders['kills'];
  exits: (number | null)[];
  faults: Partial<Record<Fault, number>>;
  findings: Finding[];
}

if (!hasGo()) {
  console.log('skipped: the test bed is built with Go, and no go was found on the PATH');
  process.exit(0);
}
buildMissing(console.log, 'designed');
await takeDownAbandoned();
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'karmada-failover-chaos-'));
process.env.KARMADA_FAILOVER_BIN = values.tool ?? copyTool(scratch);
const reports: Report[] = [];
for (const name of values.rules.split(',')) {
  if (name !== 'released' && name !== 'proposal') throw new Error(`no rules ${name}: released, proposal`);
  const report = await run(name);
  print(report);
  reports.push(report);
}
const holds = reports.every(({ findings }) => findings.every(({ violations }) => violations.length === 0));
console.log(
  `\n${JSON.stringify({ kind: 'ChaosFigures', of: 'controller', seed, ...wanted, holds, reports })}`,
);
const held = reports.flatMap(({ findings }) => findings.map(({ violations }) => violations.length === 0));
console.log(`\n${holds ? 'all of it holds' : `NOT all of it holds; logs are in ${scratch}`}`);
console.log(`${held.filter(Boolean).length} passed, ${held.filter((one) => !one).length} failed`);
rmSync(holds ? scratch : join(scratch, 'tool'), { recursive: true, force: true });
process.exit(holds ? 0 : 1);

async function run(rules: Rules): Promise<Report> {
  say(`=== ${rules}`);
  const files = join(scratch, rules);
  mkdirSync(files);
  process.env.E2E_BED_NAME = `chaos-${rules}`;
  const controllerManager = {
    ...OFF,
    'cluster-monitor-grace-period': '24h',
    'cluster-startup-grace-period': '24h',
    'kube-api-qps': '200',
    'kube-api-burst': '400',
  };
  const bed = await up(
    {
      ...defaultOptions,
      members: [],
      controllerManager,
      featureGates: { Failover: true },
      readyAfter: 1,
      ...(rules === 'proposal' ? { build: 'designed' } : {}),
    },
    say,
  );
  const clean = () => void bed.down().finally(() => process.exit(130));
  process.once('SIGINT', clean);
  const clusters = playSimulatedClusters(bed.api(), bed.file.options.readyAfter, REPORT_AGAIN);
  const load = loadOf(wanted.workloads, rules);
  const abort = new AbortController();
  try {
    if (rules === 'proposal') await installDesign(bed);
    await clusters.join([
      { name: 'c1', pods: 110_000 },
      { name: 'c2', pods: 100_000 },
      { name: 'c3', pods: 90_000 },
    ]);
    await createAll(bed.api(), [namespace(NAMESPACE), taintPolicy(rules)]);
    for (let i = 0; i < load.length; i += 10)
      await Promise.all(load.slice(i, i + 10).map(({ objects }) => createAll(bed.api(), objects)));
    await eventually('a load that is ready', () => isReady(bed, load), { within: 300_000, every: 1000 });
    say(`${load.length} workloads are ready`);
    const monitor = await startMonitor(bed);
    await eventually('all bindings', () => Promise.resolve(monitor.newest.size === load.length));
    const others = labelWriter(bed.api());
    const going = load.filter(({ course }) => course === 'goes').map(({ binding }) => binding);
    const poisons = poisonsFor(values.poisoned ? going : []);
    const writable = load.filter(({ binding }) => !poisons.has(binding));
    const proxy = await startFaultProxy(bed, {
      random: seeded(seed),
      share: () => SHARE,
      conflicts: CONFLICTS,
      disturb: (path) => others.touchPath(path),
      onWrite: (stage, path) => leaders.onWrite(stage, path),
      poisons: new Map([...poisons].map(([binding, kind]) => [bindingPath(binding), kind])),
    });
    const kubeconfig = join(files, 'kubeconfig');
    writeKubeconfig(kubeconfig, [{ name: 'karmada', server: proxy.url }], bed.file.caFile, bed.file.token);
    const leaders = keepLeaders([...settings(rules), '--kubeconfig', kubeconfig], {
      files,
      random: seeded(seed + 1),
      kills: wanted.kills,
    });
    const meanwhile = [
      others.keepTouching(
        load.map(({ binding }) => binding),
        5,
        seeded(seed + 2),
        abort.signal,
      ),
      restartNowAndThen(bed, () => proxy.count('API server restart'), abort.signal),
    ];
    const began = performance.now();
    const rounds: Round[] = [];
    const reported = () =>
      `${total(proxy.faults)} faults, ${total(leaders.kills)} kills, ${leaders.terms} terms`;
    const ticker = setInterval(() => say(`round ${rounds.length + 1}: ${reported()}`), 10_000);
    const late: string[] = [];
    while (rounds.length < 2 || total(proxy.faults) < wanted.faults || total(leaders.kills) < wanted.kills) {
      const cluster = rounds.length % 2 === 0 ? 'c1' : 'c2';
      const from = Date.now();
      await clusters.fail(cluster);
      const left = () => hasLeft(monitor, writable, cluster);
      const over = await within(PATIENCE, left);
      const until = Date.now();
      await clusters.recover(cluster);
      const clear = await within(PATIENCE, () => isClear(bed, cluster));
      rounds.push({ cluster, from, until });
      say(`${cluster} in ${((until - from) / 1000).toFixed(0)} s; ${reported()}`);
      if (over && clear) continue;
      late.push(
        `round ${rounds.length}: ${over ? 'the taint was still there' : 'not all had left'} after ${PATIENCE} s`,
      );
      break;
    }
    clearInterval(ticker);
    abort.abort();
    const codes = await leaders.stop();
    await Promise.all(meanwhile);
    const seconds = (performance.now() - began) / 1000;
    await monitor.stop();
    await proxy.close();
    const history = { load: writable, bindings: monitor.bindings, rounds, reports: clusters.reports };
    writeFileSync(
      join(files, 'history.json'),
      JSON.stringify({ rounds, bindings: [...monitor.bindings], reports: clusters.reports }),
    );
    const findings = [
      evictedOnce(history),
      noneLost(history),
      tasksEndReady(history),
      { what: 'each round comes to its end', figure: `${rounds.length} rounds`, violations: late },
      refusedNever(leaders.exits),
      atLeast('faults', total(proxy.faults), wanted.faults),
      atLeast('kills of leaders', total(leaders.kills), wanted.kills),
      {
        what: 'asked to stop, they end with 0',
        figure: `exit codes ${codes.join(' ')}`,
        violations: codes.filter((code) => code !== 0).map((code) => `exit code ${code}`),
      },
      ...(poisons.size > 0 ? [notInTheWay(poisons, proxy, monitor, seconds)] : []),
    ];
    const { starts, terms, kills, exits } = leaders;
    return {
      rules,
      seconds,
      rounds: rounds.length,
      starts,
      terms,
      kills,
      exits,
      faults: proxy.faults,
      findings,
    };
  } finally {
    abort.abort();
    process.off('SIGINT', clean);
    await clusters.stop();
    await bed.down();
  }
}

function settings(rules: Rules): string[] {
  return [
    '--feature-gates=Failover=true',
    ...(rules === 'proposal'
      ? ['--karmada-version=proposal', '--resource-eviction-rate=10']
      : [
          '--enable-no-execute-taint-eviction=true',
          '--graceful-eviction-timeout=1h',
          '--resource-eviction-rate=5',
        ]),
    '--leader-elect-lease-duration=4s',
    '--leader-elect-renew-deadline=3s',
    '--leader-elect-retry-period=500ms',
    '--bind-address=0',
    ...SAID,
  ];
}

async function isReady(bed: Bed, load: readonly ChaosWorkload[]): Promise<boolean> {
  const found = await bindings(bed);
  return (
    found.length === load.length &&
    found.every(
      ({ spec, status }) =>
        (spec.clusters?.length ?? 0) > 0 &&
        status?.aggregatedStatus?.length === spec.clusters?.length &&
        status?.aggregatedStatus?.every(({ applied, health }) => applied && health === 'Healthy'),
    )
  );
}

/** Whether everything that must leave a cluster runs elsewhere, and no task is left. */
function hasLeft({ newest }: Monitor, load: readonly ChaosWorkload[], cluster: string): boolean {
  return load.every(({ binding, course }) => {
    const { clusters = [], gracefulEvictionTasks = [] } = newest.get(binding)?.spec ?? {};
    const here = clusters.some(({ name }) => name === cluster);
    return gracefulEvictionTasks.length === 0 && (course === 'stays' || (clusters.length > 0 && !here));
  });
}

async function isClear(bed: Bed, cluster: string): Promise<boolean> {
  try {
    const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}`;
    const { spec } = await bed.api().get<{ spec: { taints?: unknown[] } }>(path);
    return !spec.taints?.length;
  } catch {
    // the API server is starting again
    return false;
  }
}

async function within(seconds: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(250))
    if (await holds()) return true;
  return false;
}

/** Kills the API server now and then, and restarts it a moment later. */
async function restartNowAndThen(bed: Bed, count: () => void, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < wanted.restarts; i++) {
    await sleep(25_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await bed.kill('karmada-apiserver');
    await sleep(1000);
    bed.restart('karmada-apiserver');
    count();
  }
}

/** If the control plane is unreachable, they exit with 4 and are restarted; any other code would be wrong. */
function refusedNever(exits: Leaders['exits']): Finding {
  const violations = exits.filter((code) => code !== 4).map((code) => `exit code ${code}`);
  return { what: 'none gives up for a wrong reason', figure: `${exits.length} gave up`, violations };
}

/** Karmada's back-off doubles up to 1000 s; a new leader starts over. More than two tries a second would be a flood. */
function notInTheWay(
  poisons: ReadonlyMap<string, Poison>,
  { poisoned }: FaultProxy,
  { newest }: Monitor,
  seconds: number,
): Finding {
  const tasks = (binding: string) => newest.get(binding)?.spec.gracefulEvictionTasks?.length ?? 0;
  return poisonedGivenUp(poisons, poisoned, tasks, 2 * seconds);
}

function atLeast(what: string, found: number, least: number): Finding {
  return {
    what: `enough ${what}`,
    figure: `${found}`,
    violations: found < least ? [`${found} of ${least}`] : [],
  };
}

function print({ rules, seconds, rounds, starts, terms, kills, exits, faults, findings }: Report): void {
  const rows: [string, string][] = [
    ['seconds', seconds.toFixed(0)],
    ['rounds', `${rounds}`],
    ['processes started', `${starts}`],
    ['terms of leaders', `${terms}`],
    ['kills of leaders', `${total(kills)}`],
    ...countRows(kills),
    ['gave up by themselves', exits.length > 0 ? `exit codes ${exits.join(' ')}` : 'never'],
  ];
  printReport(rules, rows, { faults, findings });
}
