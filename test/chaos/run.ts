// npm run chaos [-- --workloads N --faults N --kills N --seed N --only NAME,…]: drains a loaded test bed while everything around it fails,
// and compares the result with a drain without faults. Exit code 1 if an invariant is violated.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOptions, wholeNumber } from '../commandOptions.ts';
import { takeDownAbandoned } from '../e2e/controlPlane/abandonedBeds.ts';
import { defaultOptions, say, up, type Bed } from '../e2e/controlPlane/bed.ts';
import { buildMissing, hasGo } from '../e2e/controlPlane/binaries.ts';
import { writeKubeconfig } from '../e2e/controlPlane/kubeconfig.ts';
import { startMonitor } from '../e2e/monitor.ts';
import { copyTool } from '../e2e/tool.ts';
import {
  allGone,
  bindingPath,
  blockedStay,
  endsWhere,
  evictedOnce,
  isDrained,
  labelsKept,
  neverFewerReady,
  poisonedGivenUp,
  poisonsFor,
  replicasUntouched,
  type Drained,
  type Finding,
} from './checks.ts';
import { drainProcess, type DrainRun } from './drainProcess.ts';
import { startFaultProxy, type Fault, type FaultProxy, type Poison } from './faultProxy.ts';
import { createLoad, loadOf } from './load.ts';
import { labelWriter, person } from './otherWriters.ts';
import { countRows, printReport, total } from './printReport.ts';
import { seeded } from './random.ts';

const USAGE =
  'usage: npm run chaos [-- --workloads N --faults N --kills N --seed N --rate PER_SECOND --only NAME,…]';
const { values } = commandOptions(USAGE, {
  options: {
    workloads: { type: 'string', default: '200' },
    faults: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** the scenarios to run; those they are compared with run first */
    only: { type: 'string', default: 'faults,two,person,poisoned' },
    /** evictions per second */
    rate: { type: 'string', default: '5' },
    /** the command line to run, if not the one built here */
    tool: { type: 'string' },
  },
});
const wanted = {
  workloads: wholeNumber(USAGE, 'workloads', values.workloads),
  faults: wholeNumber(USAGE, 'faults', values.faults),
  kills: wholeNumber(USAGE, 'kills', values.kills),
};
const seed = wholeNumber(USAGE, 'seed', values.seed);

interface Scenario {
  name: string;
  /** the clusters of each drain; several run at once */
  drains: string[][];
  /** fraction of requests that meet a fault */
  share: number;
  /** fraction of writes before which another writer changes the object */
  conflicts: number;
  kills: number;
  /** how often the API server is killed and restarted */
  restarts: number;
  byHand: boolean;
  /** some bindings cannot be written: conflicts, refusals, a webhook that reverts */
  poisoned?: boolean;
}

interface Report {
  scenario: string;
  clusters: string[];
  runs: DrainRun[];
  faults: Partial<Record<Fault, number>>;
  seconds: number;
  findings: Finding[];
}

const calm = { share: 0, conflicts: 0, kills: 0, restarts: 0, byHand: false };
const reference: Scenario = { ...calm, name: 'reference', drains: [['member1']] };
const scenarios: Record<string, Scenario> = {
  faults: {
    name: 'faults',
    drains: [['member1']],
    share: 0.25,
    conflicts: 0.3,
    kills: wanted.kills,
    restarts: 2,
    byHand: false,
  },
  poisoned: {
    ...calm,
    name: 'poisoned',
    drains: [['member1']],
    share: 0.25,
    conflicts: 0.3,
    kills: wanted.kills,
    restarts: 2,
    poisoned: true,
  },
  two: { ...calm, name: 'two', drains: [['member1'], ['member3']], share: 0.1, conflicts: 0.1 },
  person: { ...calm, name: 'person', drains: [['member1']], share: 0.1, conflicts: 0.1, byHand: true },
};

if (!hasGo()) {
  console.log('skipped: the test bed is built with Go, and no go was found on the PATH');
  process.exit(0);
}
buildMissing(console.log);
await takeDownAbandoned();
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'karmada-failover-chaos-'));
process.env.KARMADA_FAILOVER_BIN = values.tool ?? copyTool(scratch);
const load = loadOf(wanted.workloads);

const names = values.only.split(',').filter(Boolean);
// the others are not compared with it
const calmRun = names.length === 0 || names.includes('faults') ? await run(reference) : undefined;
if (calmRun) print(calmRun.report);
const reports = calmRun ? [calmRun.report] : [];
for (const name of names) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`no scenario ${name}: ${Object.keys(scenarios).join(', ')}`);
  const { report, drained } = await run(scenario);
  if (name === 'poisoned') report.findings.push(...enough(report));
  if (calmRun && name === 'faults')
    report.findings.push(endsWhere(drained, calmRun.drained), ...enough(report));
  print(report);
  reports.push(report);
}
const holds = reports.every(({ findings }) => findings.every(({ violations }) => violations.length === 0));
const file = join(scratch, 'figures.json');
writeFileSync(file, `${JSON.stringify({ seed, ...wanted, holds, reports }, undefined, 2)}\n`);
console.log(
  `\n${JSON.stringify({ kind: 'ChaosFigures', seed, ...wanted, holds, scenarios: reports.map(figures) })}`,
);
console.log(`\n${holds ? 'all of it holds' : 'NOT all of it holds'}; figures and logs are in ${scratch}`);
rmSync(join(scratch, 'tool'), { recursive: true, force: true });
process.exit(holds ? 0 : 1);

async function run(scenario: Scenario): Promise<{ report: Report; drained: Drained }> {
  const { name, drains, share, conflicts, kills, restarts, byHand, poisoned } = scenario;
  const files = join(scratch, name);
  mkdirSync(files);
  say(`=== ${name}`);
  process.env.E2E_BED_NAME = `chaos-${name}`;
  const controllerManager = {
    ...defaultOptions.controllerManager,
    'kube-api-qps': '200',
    'kube-api-burst': '400',
  };
  const bed = await up({ ...defaultOptions, controllerManager, readyAfter: 1.5 }, say);
  const clean = () => void bed.down().finally(() => process.exit(130));
  process.once('SIGINT', clean);
  try {
    await createLoad(bed.api(), load);
    say(`${load.length} workloads are ready`);
    const random = seeded(seed);
    const monitor = await startMonitor(bed);
    const others = labelWriter(bed.api());
    const byPerson = person(bed.api(), load, seeded(seed + 1));
    const clusters = drains.flat();
    const going = load.filter(({ name: of }) => /^(one|weighted|grouped)-/.test(of));
    const poisons = poisonsFor(poisoned ? going.map(({ binding }) => binding) : []);
    const drained: Drained = {
      load: load.filter(({ binding }) => !poisons.has(binding)),
      monitor,
      clusters,
      since: Date.now(),
      ...(byHand ? { touched: byPerson.touched } : {}),
    };
    const processes = drains.map(([cluster = ''], i) =>
      drainProcess(join(files, `drain-${cluster}.log`), seeded(seed + 10 + i), kills),
    );
    const proxy = await startFaultProxy(bed, {
      random,
      // more if the drain would otherwise end before there were enough
      share: () => (kills > 0 && isBehind(drained, proxy.faults) ? 0.5 : share),
      conflicts,
      disturb: (path) => others.touchPath(path),
      onWrite: (stage) => processes.forEach((each) => each.onWrite(stage)),
      poisons: new Map([...poisons].map(([binding, kind]) => [bindingPath(binding), kind])),
    });
    const kubeconfig = join(files, 'kubeconfig');
    const { caFile, token } = bed.file;
    writeKubeconfig(kubeconfig, [{ name: 'karmada', server: proxy.url }], caFile, token);

    const abort = new AbortController();
    const bindings = load.map(({ binding }) => binding);
    const meanwhile = [
      ...(share > 0 ? [others.keepTouching(bindings, 10, seeded(seed + 2), abort.signal)] : []),
      ...(byHand ? [byPerson.work(abort.signal)] : []),
      restartNowAndThen(bed, restarts, () => proxy.count('API server restart'), abort.signal),
    ];
    const began = performance.now();
    const ticker = setInterval(() => say(progress(drained, proxy.faults)), 10_000);
    const runs = await Promise.all(
      drains.map((names, i) =>
        (processes[i] as (typeof processes)[number]).run(
          [
            ...['drain', ...names, '--yes', '--kubeconfig', kubeconfig],
            ...['--eviction-rate', values.rate, '--allow-blocked', '--allow-overcommit'],
          ],
          () => isDrained(drained),
        ),
      ),
    );
    clearInterval(ticker);
    abort.abort();
    await Promise.all(meanwhile);
    // what Karmada still has to do
    for (let quiet = 0; quiet < 5; quiet++) await sleep(1000);
    const seconds = (performance.now() - began) / 1000;
    await monitor.stop();
    await proxy.close();
    const history = { since: drained.since, bindings: [...monitor.bindings], ready: [...monitor.ready] };
    writeFileSync(join(files, 'history.json'), JSON.stringify(history));
    const findings = [
      exits(runs),
      allGone(drained),
      blockedStay(drained),
      evictedOnce(drained),
      replicasUntouched(drained),
      neverFewerReady(drained),
      ...(others.labels.size > 0 ? [labelsKept(drained, others.labels)] : []),
      ...(byHand ? [handWorkKept(drained, byPerson.held)] : []),
      ...(poisons.size > 0 ? [givenUp(poisons, proxy, drained, runs)] : []),
    ];
    return { report: { scenario: name, clusters, runs, faults: proxy.faults, seconds, findings }, drained };
  } finally {
    process.off('SIGINT', clean);
    await bed.down();
  }
}

/** Kills the API server now and then, and restarts it a moment later. */
async function restartNowAndThen(
  bed: Bed,
  times: number,
  count: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < times && !signal.aborted; i++) {
    await sleep(20_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await bed.kill('karmada-apiserver');
    await sleep(1000);
    bed.restart('karmada-apiserver');
    count();
  }
}

function exits(runs: DrainRun[]): Finding {
  const codes = runs.flatMap(({ exitCodes }) => exitCodes);
  const violations = codes.filter((code) => ![0, 3, 4].includes(code)).map((code) => `exit code ${code}`);
  const ended = runs.filter(({ exitCodes }) => ![0, 3].includes(exitCodes.at(-1) ?? 1));
  return {
    what: 'each drain comes to its end',
    figure: `exit codes ${codes.join(' ')}`,
    violations: [...violations, ...ended.map(() => 'a drain never ended by itself with 0 or 3')],
  };
}

/** Five tries in a row, and again after 10, 30 and 60 seconds, per process. */
const TRIES_OF_A_LIFE = 20;

function givenUp(
  poisons: ReadonlyMap<string, Poison>,
  { poisoned }: FaultProxy,
  { monitor }: Drained,
  runs: readonly DrainRun[],
): Finding {
  const lives = runs.reduce((sum, { starts }) => sum + starts, 0);
  const tasks = (binding: string) => monitor.newest.get(binding)?.spec.gracefulEvictionTasks?.length ?? 0;
  return poisonedGivenUp(poisons, poisoned, tasks, TRIES_OF_A_LIFE * lives);
}

function handWorkKept({ monitor }: Drained, held: ReadonlyMap<string, string>): Finding {
  const violations = [...held].flatMap(([binding, cluster]) => {
    const task = monitor.newest
      .get(binding)
      ?.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster);
    return task?.suppressDeletion === true ? [] : [`${binding} lost the held task for ${cluster}`];
  });
  return { what: 'what an operator holds is left alone', figure: `${held.size} tasks`, violations };
}

function enough({ faults, runs }: Report): Finding[] {
  const injected = total(faults);
  const killed = runs.reduce((sum, { kills }) => sum + total(kills), 0);
  const few = (found: number, least: number) => (found < least ? [`${found} of ${least}`] : []);
  return [
    { what: 'enough faults', figure: `${injected}`, violations: few(injected, wanted.faults) },
    { what: 'enough kills', figure: `${killed}`, violations: few(killed, wanted.kills) },
  ];
}

/** Whether fewer faults have been injected than the drain's progress requires. */
function isBehind(drained: Drained, faults: Report['faults']): boolean {
  const { violations } = allGone(drained);
  return total(faults) / wanted.faults < 1.2 * (1 - violations.length / drained.load.length);
}

function progress(drained: Drained, faults: Report['faults']): string {
  const seconds = ((Date.now() - drained.since) / 1000).toFixed(0);
  const { figure, violations } = allGone(drained);
  return `${seconds} s: ${violations.length} of ${figure} are not gone yet, ${total(faults)} faults`;
}

function figures({ scenario, clusters, seconds, runs, faults, findings }: Report): object {
  return {
    scenario,
    clusters,
    seconds: Math.round(seconds),
    starts: runs.map(({ starts }) => starts),
    kills: runs.map(({ kills }) => kills),
    faults,
    findings: findings.map(({ what, figure, violations }) => ({
      what,
      figure,
      violations: violations.length,
    })),
  };
}

function print({ scenario, clusters, seconds, runs, faults, findings }: Report): void {
  const rows: [string, string][] = [
    ['drained', clusters.join(' and ')],
    ['seconds', seconds.toFixed(0)],
    ['starts', runs.map(({ starts }) => starts).join(', ')],
    ['kills', `${runs.reduce((sum, { kills }) => sum + total(kills), 0)}`],
    ...runs.flatMap(({ kills }) =>
      countRows(Object.fromEntries(Object.entries(kills).filter(([, count]) => count > 0))),
    ),
  ];
  printReport(scenario, rows, { faults, findings });
}
