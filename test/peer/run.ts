// npm run peer [-- --with karmada|ours|none] [--kill-leaders SECONDS] [--focus REGEX] [--recordings DIR]: Karmada's own end-to-end specs
// for failover, taints, rebalancing and affinities on the test bed, with Karmada's controllers, with ours in their place, or with none.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOptions, refuse, wholeNumber } from '../commandOptions.ts';
import { controllerProcesses, OFF, SAID, type ControllerProcess } from '../e2e/controllerProcess.ts';
import { takeDownAbandoned } from '../e2e/controlPlane/abandonedBeds.ts';
import { defaultOptions, up, type Bed, type BedOptions } from '../e2e/controlPlane/bed.ts';
import { buildMissing, hasGo } from '../e2e/controlPlane/binaries.ts';
import { testKarmada } from '../e2e/controlPlane/goModules.ts';
import { copyTool } from '../e2e/tool.ts';
import { program } from '../program.ts';
import { builtSpecs } from './specs.ts';

const WITH = ['karmada', 'ours', 'none'] as const;
type Controllers = (typeof WITH)[number];

const USAGE =
  'usage: npm run peer [-- --with karmada|ours|none] [--kill-leaders SECONDS] [--focus REGEX] [--recordings DIR] [--karmada VERSION]';
const { values } = commandOptions(USAGE, {
  options: {
    with: { type: 'string', multiple: true },
    'kill-leaders': { type: 'string' },
    focus: { type: 'string' },
    recordings: { type: 'string' },
    karmada: { type: 'string' },
  },
});
testKarmada(values.karmada);
const runs = (values.with ?? ['karmada', 'ours']).map((name) => {
  const found = WITH.find((one) => one === name);
  return found ?? refuse(`--with ${JSON.stringify(name)} is none of ${WITH.join(', ')}`, USAGE);
});
const killEvery =
  values['kill-leaders'] === undefined
    ? undefined
    : wholeNumber(USAGE, 'kill-leaders', values['kill-leaders']);

/** The spec files about this project's subject. */
const FILES = [
  ...['failover', 'clustertaintpolicy', 'tainttoleration', 'workloadrebalancer'],
  ...['clusteraffinities', 'workloadaffinity', 'spread_by_region'],
];

/** Needs karmada-scheduler-estimator, which the test bed lacks: only it sees the capacity in a ResourceQuota. */
const WITHOUT = 'overflow affinities';

/** The requirements of the specs: two Push members and a Pull member with garbage collection, and all gates. */
const OPTIONS: BedOptions = {
  ...defaultOptions,
  members: defaultOptions.members
    .slice(0, 2)
    .concat({ name: 'member3', syncMode: 'Pull', region: 'us', provider: 'beta' }),
  featureGates: { AllAlpha: true, AllBeta: true },
  readyAfter: 2,
  garbageCollection: true,
  garbageCollectionInMembers: true,
};

if (!hasGo()) {
  console.log("skipped: Karmada's specs are built with Go, and no go was found on the PATH");
  console.log('0 passed, 0 failed');
} else {
  buildMissing(console.log);
  const specs = builtSpecs(console.log);
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'karmada-failover-peer-'));
  process.env['KARMADA_FAILOVER_BIN'] = copyTool(scratch);
  for (const directory of await takeDownAbandoned()) console.log(`taken down: ${directory}`);
  const counts = { passed: 0, failed: 0 };
  for (const controllers of runs) {
    const results = await runSpecs(specs, controllers);
    const failed = results.filter(({ State }) => State !== 'passed');
    counts.passed += results.length - failed.length;
    counts.failed += failed.length || (results.length === 0 ? 1 : 0);
    console.log(`\nwith ${controllers}: ${results.length - failed.length} passed, ${failed.length} failed`);
    for (const spec of failed) console.log(`  ${spec.State}: ${nameOf(spec)}`);
  }
  rmSync(scratch, { recursive: true });
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

/** A spec in ginkgo's report, as far as it is read. */
interface Spec {
  LeafNodeType: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeText: string;
  State: string;
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText }: Spec): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' / ');
}

/** Starts a test bed with these controllers, and returns ginkgo's result for each spec that ran on it. */
async function runSpecs(specs: string, controllers: Controllers): Promise<Spec[]> {
  const log = (line: string) => console.log(`${controllers}: ${line}`);
  const off = controllers === 'karmada' ? {} : OFF;
  const bed = await up({ ...OPTIONS, controllerManager: { ...OPTIONS.controllerManager, ...off } }, log);
  const recorder = values.recordings === undefined ? undefined : record(bed, values.recordings, controllers);
  const stopOurs = controllers === 'ours' ? await startOurs(bed) : () => Promise.resolve();
  let keepFiles = true;
  try {
    const report = join(bed.file.directory, 'specs.json');
    const output = openSync(join(bed.file.directory, 'specs.log'), 'w');
    const child = spawn(
      specs,
      [
        ...['--karmada-context=karmada', '--host-context=karmada', '--poll-interval=1s'],
        ...[
          `--ginkgo.json-report=${report}`,
          '--ginkgo.succinct',
          '--ginkgo.label-filter=!needCreateCluster',
        ],
        `--ginkgo.skip=${WITHOUT}`,
        `--ginkgo.focus-file=(${FILES.join('|')})_test.go`,
        ...(values.focus === undefined ? [] : [`--ginkgo.focus=${values.focus}`]),
      ],
      {
        cwd: bed.file.directory,
        stdio: ['ignore', output, output],
        env: {
          ...process.env,
          KUBECONFIG: bed.kubeconfig,
          PULL_BASED_CLUSTERS: `member3:${join(bed.file.directory, 'member3.kubeconfig')}`,
        },
      },
    );
    await new Promise((done) => child.on('close', done));
    bed.check();
    const suites = JSON.parse(readFileSync(report, 'utf8')) as { SpecReports: Spec[] }[];
    const results = suites
      .flatMap(({ SpecReports }) => SpecReports)
      .filter(
        ({ LeafNodeType, State }) => State !== 'skipped' && (LeafNodeType === 'It' || State !== 'passed'),
      );
    keepFiles = results.some(({ State }) => State !== 'passed');
    return results;
  } finally {
    try {
      await stopOurs();
    } finally {
      recorder?.kill('SIGTERM');
      await bed.down({ keepFiles });
      if (keepFiles) log(`logs are in ${bed.file.directory}`);
    }
  }
}

/** Two processes of ours at a time, one of them the leader. Returns a function that ends them. */
async function startOurs(bed: Bed): Promise<() => Promise<void>> {
  const ours = controllerProcesses(bed.kubeconfig, [
    '--feature-gates=Failover=true,StatefulFailoverInjection=true',
    '--enable-no-execute-taint-eviction=true',
    `--graceful-eviction-timeout=${OPTIONS.controllerManager['graceful-eviction-timeout']}`,
    '--bind-address=0',
  ]);
  const started: ControllerProcess[] = [];
  const start = () => (started[started.length] = ours.start(...SAID));
  let leader = start();
  await leader.leads();
  let next = start();
  const over = new AbortController();
  const killing = async (every: number) => {
    for (;;) {
      await sleep(every * 1000, undefined, { signal: over.signal });
      leader.child.kill('SIGKILL');
      await next.leads();
      [leader, next] = [next, start()];
    }
  };
  const stopped = (error: unknown) => {
    if (!over.signal.aborted) throw error;
  };
  const killed =
    killEvery === undefined ? undefined : Promise.allSettled([killing(killEvery).catch(stopped)]);
  return async () => {
    over.abort();
    const [end] = (await killed) ?? [];
    await ours.stop();
    for (const [i, one] of started.entries())
      writeFileSync(join(bed.file.directory, `ours-${i}.log`), one.log());
    if (end?.status === 'rejected') throw end.reason;
  };
}

/** Records the control plane, for `replay check`. */
function record(bed: Bed, directory: string, controllers: Controllers) {
  mkdirSync(directory, { recursive: true });
  const file = join(resolve(directory), `${controllers}.rec`);
  const start = program('record', file, '--kubeconfig', bed.kubeconfig);
  return spawn(...start, { stdio: ['ignore', 'ignore', 'inherit'] });
}
