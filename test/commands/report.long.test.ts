import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodedPackets, shownEvents, type ShownEvent } from '../fixtures/perfettoTrace.ts';
import { unpackedPage } from '../fixtures/unpackedPage.ts';
import { shop } from '../state/recording/recorded.ts';
import { json, root, run } from './cli.ts';
import { liveServer, runLive } from './liveServer.ts';
import { breaches } from './schema.ts';
import { completionProgram, program } from '../program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const simulate = ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'];
const directory = temporaryFolder('report-');

describe('failover simulate --report', () => {
  const file = join(directory, 'report.html');
  const ran = run([...simulate, '--report', file]);
  const html = readFileSync(file, 'utf8');

  test('prints the same as without --report', () => {
    expect(ran).toEqual({ ...run(simulate), code: 0, stderr: `Report written to ${file}\n` });
  });

  test('writes one page readable only by its owner, which loads nothing and needs no script for the verdict', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(html).toContain('<h1>frankfurt fails: of 14 workloads 2 are lost, 1 is blocked,');
    expect(html).toMatch(
      /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+';/,
    );
    expect(html).not.toMatch(/<(link|img|iframe)|\ssrc=|\son\w+=|style="|https?:/);
  });

  test('contains the document of -o json', () => {
    expect(JSON.parse(unpackedPage(html).get('report-document')!)).toEqual(json(simulate));
  });

  test('reports an unwritable file', () => {
    const { code, stderr } = run([...simulate, '--report', join(directory, 'none/report.html')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: report .*none\/report\.html/);
    expect(run([...simulate, '--report', '-']).stderr).toMatch(/^error: --report -: name a file/);
  });
});

describe('the title of a report', () => {
  const pageOf = (...argv: string[]) => {
    const file = join(directory, 'sentence.html');
    expect(run([...argv, '--report', file]).code).toBe(0);
    return readFileSync(file, 'utf8');
  };

  test('names a single workload, and separates its replicas from those of all workloads', () => {
    const html = pageOf(...simulate, '-n', 'platform');
    expect(html).toContain('<h1>frankfurt fails: platform/daemonset/metrics-agent moves in part; ');
    expect(html).toContain('Above, the replicas of 1 workload; below, those of all.');
    expect(pageOf(...simulate)).not.toContain('below, those of all');
  });

  test('names the clusters that are not Ready for a single state', () => {
    expect(pageOf('timeline', '--state', 'examples/incident')).toContain(
      '<h1>What happened: frankfurt is not Ready; 6 evictions of 6 workloads from frankfurt and oregon are still on record.</h1>',
    );
  });
});

describe('drain --report', () => {
  const drain = ['drain', 'frankfurt', '--dry-run', '--state', 'examples/shop'];
  const file = join(directory, 'drain.html');
  const ran = run([...drain, '--report', file]);
  const html = readFileSync(file, 'utf8');

  test('shows the plan with the reason for its refusal', () => {
    const shown = run(drain);
    expect(ran).toEqual({ ...shown, stderr: `Report written to ${file}\n${shown.stderr}` });
    expect(html).toMatch(
      /<h1>Draining frankfurt is refused: of 12 workloads 3 are blocked, 4 leave, 5 move; no ready replica is missing at any time\.<\/h1>/,
    );
    expect(html).toContain('<p>Refused: ');
    expect(html).toMatch(
      /frankfurt.* runs \d+ workloads, \d+ replicas\. Drained now at 0\.5 evictions\/s, it takes/,
    );
  });

  test('suggests commands for the workloads that cannot leave', () => {
    expect(html).toContain('<h2>What would help</h2>');
    expect(html).toContain('kubectl patch propagationpolicy ledger -n data --type merge');
  });

  test('shows the timeline of workloads, and contains the plan', () => {
    const carried = unpackedPage(html);
    const { workloads } = JSON.parse(carried.get('report-data')!) as {
      workloads: { name: string; outcome?: number; weight: number }[];
    };
    expect(workloads.some(({ outcome }) => outcome !== undefined)).toBe(true);
    // At that time it should only have its other copies.
    expect(workloads.find(({ name }) => name === 'archive')).toMatchObject({ weight: 0 });
    expect(JSON.parse(carried.get('report-document')!)).toMatchObject({ kind: 'DrainPlan' });
  });

  test('needs a new plan or a running drain', () => {
    expect(run(['drain', 'virginia', '--cancel', '--report', file]).stderr).toMatch(
      /^error: --report needs a drain; remove --cancel/,
    );
    expect(run(['drain', '--plan', 'p.json', '--dry-run', '--report', file]).stderr).toMatch(
      /^error: --report needs a new plan or a running drain/,
    );
  });

  test('reports an executed drain, also of a saved plan, and leaves no temporary recording', async () => {
    const server = await liveServer(shop());
    try {
      const [page, plan] = [join(directory, 'drained.html'), join(directory, 'plan.json')];
      const words = ['--allow-blocked', '--allow-loss'];
      const planned = await runLive(['drain', 'oregon', '--dry-run', '--out', plan, ...words], server);
      expect(planned.code).toBe(0);
      const env = { TMPDIR: mkdtempSync(join(directory, 'tmp-')) };
      const argv = ['drain', '--plan', plan, '--yes', '--no-wait', '--timeout', '20s', '--report', page];
      const { code, stderr } = await runLive(argv, server, env);
      expect([0, 3]).toContain(code);
      expect(stderr).toMatch(
        /drained\.html: Drain of oregon: \d+ evictions? of \d+ workloads? from oregon, not over yet\./,
      );
      const html = readFileSync(page, 'utf8');
      expect(html).toMatch(/Karmada failover: Drain<\/p>\n<h1>Drain of oregon: /);
      const carried = unpackedPage(html);
      const timeline = JSON.parse(carried.get('report-document')!) as { source: string };
      expect(timeline).toMatchObject({ kind: 'Timeline', source: 'recording' });
      expect(breaches('timeline', timeline)).toBe('');
      // newer versions of Node keep a cache there
      expect(readdirSync(env.TMPDIR).filter((name) => name !== 'node-compile-cache')).toEqual([]);
    } finally {
      server.close();
    }
  });
});

test('failover simulate --gantt draws bars instead of steps', () => {
  const { stdout } = run([...simulate, '--gantt']);
  expect(stdout).toMatch(/^ {2}frankfurt {2,}×+:▒+░+ +leaving ×6$/m);
  expect(stdout).not.toContain('taint-manager');
});

describe('output for other tools', () => {
  test.each([
    ['mermaid', /^gantt\n {2}title frankfurt fails\n/],
    ['dot', /^digraph failover \{\n/],
  ])('is available as -o %s', (form, beginning) => {
    expect(run([...simulate, '-o', form]).stdout).toMatch(beginning);
  });

  test('is available as a binary trace of a simulation with -o perfetto, including free capacity', () => {
    const events = traceOf(...simulate);
    const cart = 'frankfurt fails/Workloads/Deployment shop/cart';
    const evicted = events.find(({ track, name }) => track === `${cart}/frankfurt` && name === 'evicting');
    expect(evicted!.flows).toHaveLength(3);
    expect(events.filter(({ track }) => track === cart).map(({ name }) => name)).toContain('Evicted');
    expect(
      events.filter(({ track }) => track === 'frankfurt fails/Clusters/oregon/capacity for pods'),
    ).toEqual([expect.objectContaining({ type: 'count' })]);
  });

  test('is available as a binary trace of past events with -o perfetto', () => {
    const events = traceOf('timeline', '--state', 'examples/incident');
    const cluster = events.filter(({ track }) => track === 'What happened/Clusters/frankfurt');
    expect(cluster.map(({ name }) => name)).toContain('TaintAdded');
  });

  test('is offered by completion', () => {
    const start = completionProgram('failover', 'simulate', '-o', 'per');
    const { stdout } = spawnSync(...start, { encoding: 'utf8' });
    expect(stdout).toMatch(/^perfetto\n/);
  });
});

function traceOf(...argv: string[]): ShownEvent[] {
  const { stdout, stderr } = spawnSync(...program(...argv, '-o', 'perfetto'), { cwd: root });
  expect(stderr.toString()).toBe('');
  return shownEvents(decodedPackets(stdout));
}
