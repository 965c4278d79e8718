import { afterAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './cli.ts';
import { breaches } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'drain-'));
afterAll(() => rmSync(folder, { recursive: true }));
const state = ['--state', 'examples/shop'];
const drain = (...argv: string[]) => run(['drain', ...argv]);

describe('the drain plan of the example', () => {
  const planned = drain('frankfurt', '--dry-run', ...state);

  test('is refused with exit code 1 and the flag that accepts it', () => {
    expect(planned.code).toBe(1);
    expect(planned.stdout).toMatch(/^frankfurt runs 12 workloads, 33 replicas\. .* \(dry run\)$/m);
    expect(planned.stdout).toMatch(/^Refused: .*--allow-blocked/m);
    expect(planned.stderr).toMatch(
      /^error: drain refused \(see above\)\. To proceed anyway: --allow-blocked$/m,
    );
  });

  test('lists the refused workloads in the error if only the bare table is printed', () => {
    const { code, stdout, stderr } = drain('frankfurt', '--dry-run', '--no-headers', ...state);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(12);
    expect(stderr).toMatch(
      /^error: 3 workloads cannot leave .*--allow-blocked.*: data\/statefulset\/ledger, /,
    );
  });

  test('lists the workloads that move and the blocked ones', () => {
    expect(planned.stdout).toMatch(/^ +5 +move +to dublin \+8 replicas, virginia \+7, oregon \+5$/m);
    expect(planned.stdout).toMatch(/^ +3 +blocked +data\/statefulset\/ledger: /m);
  });

  test('is accepted with --allow-blocked, or if the blocked workloads are skipped', () => {
    const accepted = drain('frankfurt', '--dry-run', '--allow-blocked', ...state);
    expect({ code: accepted.code, stderr: accepted.stderr }).toEqual({ code: 0, stderr: '' });
    const skip = ['data/sts/ledger', 'deploy/pricing', 'shop/deployment/recommendations'];
    const skipping = drain(
      'frankfurt',
      '--dry-run=client',
      ...skip.flatMap((one) => ['--skip', one]),
      ...state,
    );
    expect({ code: skipping.code, stderr: skipping.stderr }).toEqual({ code: 0, stderr: '' });
    expect(skipping.stdout).toMatch(/^ +3 +stay +/m);
    // files cannot be drained: the plan in full comes next
    expect(skipping.stdout).toMatch(
      /^kubectl karmada-failover drain frankfurt --dry-run=client .* -o=wide$/m,
    );
  });

  test('has one line for each workload with -o wide', () => {
    const { stdout } = drain('frankfurt', '--dry-run', '-o', 'wide', ...state);
    const lines = stdout.split('\n');
    const rows = lines.slice(lines.findIndex((line) => line.startsWith('ORDER')) + 1);
    expect(rows.slice(0, rows.indexOf(''))).toHaveLength(12);
    expect(rows[0]).toMatch(/^- +blocked +data\/statefulset\/ledger /);
  });

  test('is valid against its schema, with the same content in YAML', () => {
    const { code, stdout, stderr } = drain('frankfurt', '--dry-run', '-o', 'json', ...state);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: 3 workloads cannot leave .*--allow-blocked/m);
    const document = JSON.parse(stdout) as { workloads: unknown[]; standsOn: { clusters: unknown[] } };
    expect(breaches('drain-plan', document)).toBe('');
    expect(document.workloads).toHaveLength(12);
    expect(document.standsOn.clusters).toHaveLength(5);
    expect(load(drain('frankfurt', '--dry-run', '-o', 'yaml', ...state).stdout)).toEqual(document);
  });

  test('lists the evicted workloads with -o name', () => {
    const { stdout } = drain('frankfurt', '--dry-run', '-o', 'name', ...state);
    expect(stdout.trim().split('\n')).toHaveLength(9);
    expect(stdout).toMatch(/^deployment\/cart$/m);
  });

  test('has no trailing spaces', () => {
    expect(planned.stdout).not.toMatch(/ $/m);
  });
});

test('drain plans several clusters together', () => {
  const { stdout } = drain('frankfurt', 'oregon', '--dry-run', '--allow-blocked', ...state);
  expect(stdout).toMatch(/^frankfurt, oregon run \d+ workloads/);
  expect(stdout).toMatch(/^frankfurt \(drained\)/m);
  expect(stdout).toMatch(/^oregon \(drained\)/m);
});

describe('a saved drain plan', () => {
  const file = join(folder, 'plan.json');
  const saved = drain('frankfurt', '--dry-run', '--allow-blocked', '--out', file, ...state);

  test('is the document of -o json', () => {
    expect(saved.code).toBe(0);
    expect(saved.stderr).toMatch(/To execute it: kubectl karmada-failover drain --plan /);
    const { stdout } = drain('frankfurt', '--dry-run', '--allow-blocked', '-o', 'json', ...state);
    expect(readFileSync(file, 'utf8')).toBe(stdout);
  });

  test('is valid while nothing has changed', () => {
    const { code, stdout, stderr } = drain('--plan', file, '--dry-run', ...state);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(saved.stdout);
  });

  test('is invalid after a change, which is reported', () => {
    const objects = JSON.parse(readFileSync(join(root, 'examples/shop/control-plane.json'), 'utf8')) as {
      items: { kind: string; metadata: { name: string }; spec: { clusters?: unknown; replicas?: number } }[];
    };
    const cart = objects.items.find(
      ({ kind, metadata }) => kind === 'ResourceBinding' && metadata.name === 'cart-deployment',
    )!;
    cart.spec.replicas = 12;
    writeFileSync(join(folder, 'changed.json'), JSON.stringify(objects));
    const { code, stderr } = drain(
      '--plan',
      file,
      '--dry-run',
      '--state',
      join(folder, 'changed.json'),
      '--state',
      'examples/shop/karmada-system.json',
    );
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: the plan is outdated; changes since then:\n' +
        '  ResourceBinding shop/cart-deployment: spec.replicas was 9, is 12\n' +
        'plan again with --out FILE\n',
    );
  });

  test.each([
    [
      ['--skip', 'deploy/cart'],
      '--plan already sets the clusters and options; leave out --skip, or plan again with --skip --out FILE instead',
    ],
    [
      ['--no-hold'],
      '--plan already sets the clusters and options; leave out --no-hold, or plan again with --no-hold --out FILE instead',
    ],
    [
      ['oregon'],
      `--plan ${file} drains frankfurt, not oregon; leave the clusters out, or give the plan of these`,
    ],
  ])('cannot be combined with %j', (more, message) => {
    const { code, stderr } = drain('--plan', file, '--dry-run', ...more, ...state);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${message}\n` });
  });
});

describe('a refused drain plan that is saved', () => {
  const file = join(folder, 'refused.json');
  const saved = drain('frankfurt', '--dry-run', '--out', file, ...state);

  test('is not reported as ready to execute', () => {
    expect(saved.stderr).toBe(
      `The plan is in ${file}. It is refused, so it cannot be executed.\n` +
        'error: drain refused (see above). To proceed anyway: --allow-blocked\n',
    );
  });

  test('requires a new plan, because --plan accepts no --allow flag', () => {
    const { code, stdout, stderr } = drain('--plan', file, '--dry-run', ...state);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: drain refused (see above). To proceed anyway: plan again with --allow-blocked --out FILE\n',
    );
    expect(stdout).toContain('cannot leave (plan again with --allow-blocked --out FILE to override)');
    expect(drain('--plan', file, '--dry-run', '-o', 'json', ...state).stderr).toContain(
      'cannot leave (plan again with --allow-blocked --out FILE to override): data/statefulset/ledger, ',
    );
  });

  test('requires a new plan also after a change of the control plane', () => {
    const { code, stderr } = drain('--plan', file, '--dry-run', '--state', 'examples/incident');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the plan is outdated; changes since then:\n/);
    expect(stderr).toMatch(/ plan again with --allow-blocked --out FILE\n$/);
    expect(stderr).not.toContain('would accept');
  });
});

test('drain accepts clusters as -o name prints them', () => {
  const { stdout } = drain('cluster/frankfurt', '--dry-run', ...state);
  expect(stdout).toMatch(/^frankfurt runs /m);
});

test('drain --cancel has a dry run', () => {
  const { code, stdout, stderr } = drain('frankfurt', '--cancel', '--dry-run', ...state);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'cluster/frankfurt is neither cordoned nor drained (dry run)\n\nNo drain is moving a workload: nothing to restore (dry run).\n\nkubectl karmada-failover status --state=examples/shop\n',
  );
});

describe('wrong usage is rejected:', () => {
  test.each<[string[], string]>([
    [['--dry-run', ...state], 'name the clusters to drain, as in: drain CLUSTER'],
    [
      ['frankfrt', '--dry-run', ...state],
      'drain: there is no cluster "frankfrt" in the state, did you mean frankfurt?',
    ],
    [
      ['frankfurt', ...state],
      '--state reads files, which cannot be drained; see the plan of a drain with --dry-run=client',
    ],
    [
      ['frankfurt', '--dry-run=server', ...state],
      '--state reads files, which cannot be drained; see the plan of a drain with --dry-run=client',
    ],
    [
      ['frankfurt', '--dry-run=perhaps', ...state],
      '--dry-run "perhaps" is not known; choose from none, client, server',
    ],
    [['frankfurt', '--wait=maybe'], '--wait "maybe" is neither true nor false'],
    [['frankfurt', '--timeout=soon'], '--timeout: "soon" is not a duration such as 90s or 5m'],
    [['frankfurt', '--progress=fancy'], '--progress "fancy" is not known; give plain, or leave it out'],
    [
      ['frankfurt', '-o', 'yaml'],
      '-o yaml needs --dry-run, and prints the plan; without it a drain prints lines, or with -o json one document a line',
    ],
    [
      ['frankfurt', '--dry-run', '--skip', 'shop/deployment/carts', ...state],
      '--skip shop/deployment/carts: there is no such workload, did you mean shop/deployment/cart?',
    ],
    [
      ['frankfurt', '--dry-run', '--only', 'deployment/crat', ...state],
      '--only deployment/crat: there is no such workload, did you mean deployment/cart?',
    ],
    [['frankfurt', '--dry-run', '-n', 'shpo', ...state], 'no bindings in namespace shpo, did you mean shop?'],
    [
      ['frankfurt', '--dry-run', '--kind', 'deploymnt', ...state],
      '--kind deploymnt: there is no workload of this kind, did you mean deployment?',
    ],
    [
      ['frankfurt', '--dry-run', '--kind', 'job', ...state],
      '--kind job: there is no workload of this kind; there are clusterrole, configmap, cronjob, daemonset, deployment, statefulset',
    ],
    [
      ['frankfurt', '--dry-run', '-l', 'app=none', ...state],
      '--selector: there is no workload with these labels; they are those of the workload, not of its binding',
    ],
    [
      ['frankfurt', '--dry-run', '--policy', 'cart', ...state],
      '--policy cart: there is no workload that this policy places; write NAMESPACE/NAME, or NAME of a ClusterPropagationPolicy',
    ],
    [['frankfurt', '--cancel', '--skip', 'a/b'], '--cancel cancels a whole drain; leave out --skip'],
    [['--cancel'], 'name the clusters of the drain to cancel, as in: drain CLUSTER --cancel'],
    [
      ['frankfurt', '--cancel', '--dry-run=server'],
      '--cancel has no --dry-run=server; use --dry-run=client to see what it does',
    ],
    [
      ['frankfurt,dublin', '--dry-run', ...state],
      '"frankfurt,dublin": write clusters with spaces between them: frankfurt dublin',
    ],
    [
      ['--plan', '/nowhere/plan.json', '--dry-run', ...state],
      'plan /nowhere/plan.json: no such file or directory; check the path',
    ],
  ])('drain %j', (argv, message) => {
    const { code, stdout, stderr } = drain(...argv);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });
});
