import { describe, expect, test } from '@jest/globals';
import { run } from './cli.ts';

/*
 * Errors suggest only values that then work: each mistake below is one word in a command line that is otherwise right. What the
 * error suggests in its place is put there, and run. And the commands that answers name next are run as they are.
 */
const SHOP = ['--state', 'examples/shop'];
const INCIDENT = ['--state', 'examples/incident'];
const EVICTS = ['taint-policy', 'apply', '-f', 'test/fixtures/evicts.yaml', '--dry-run', ...SHOP];

/** An answer, possibly a negative one: neither is wrong usage. */
const WORKS = [0, 1];

/** The values that an error suggests for a wrong one: "did you mean a or b?", "there are a, b, c", "one of a, b". */
function offered(message: string): string[] {
  const [, meant] = /did you mean (.*)\?/.exec(message) ?? [];
  const [, listed] =
    /(?:there are(?: some in)?|it has|choose from|there is one in) ([^;]*)/.exec(message) ?? [];
  const values = meant?.split(/, | or /) ?? listed?.split(', ') ?? [];
  return values.map((value) => value.trim().replace(/^"(.*)"$/, '$1'));
}

/** A mistake: the command line with `?` in place of the wrong word, and the word. */
const VALUES: readonly (readonly [wrong: string, ...argv: string[]])[] = [
  ['franfurt', 'status', '?', ...SHOP],
  ['mars', 'status', '?', ...SHOP],
  ['franfurt', 'simulate', '--fail', '?', ...SHOP],
  ['mars', 'simulate', '--fail', '?', ...SHOP],
  ['franfurt', 'simulate', '--fail', 'dublin', '--recover', '?@30m', ...SHOP],
  ['franfurt', 'simulate', '--taint', '?:maintenance:NoExecute', ...SHOP],
  ['europa', 'simulate', '--fail-region', '?', ...SHOP],
  ['mars', 'simulate', '--fail-region', '?', ...SHOP],
  ['lots', 'simulate', '--fail', 'oregon', '--fail-on', '?', ...SHOP],
  ['franfurt', 'explain', 'deploy/pricing', '-n', 'shop', '--if-fails', '?', ...SHOP],
  ['dublim', 'explain', 'deploy/pricing', '-n', 'shop', '--cluster', '?', ...SHOP],
  ['deploy/prising', 'explain', '?', '-n', 'shop', ...SHOP],
  ['sts/pricing', 'explain', '?', '-n', 'shop', ...SHOP],
  ['pricing', 'explain', '?', ...SHOP],
  ['deploy/crat', 'eviction', 'inspect', '?', ...INCIDENT],
  ['cart', 'eviction', 'inspect', '?', ...INCIDENT],
  ['shopp', 'eviction', 'inspect', '-n', '?', ...INCIDENT],
  ['data', 'explain', 'deploy/cart', '-n', '?', ...SHOP],
  ['jsn', 'status', '-o', '?', ...SHOP],
  ['pretty', 'status', '-o', '?', ...SHOP],
  ['Failver=true', 'status', '--assume', '?', ...SHOP],
  ['franfurt', 'drain', '?', '--dry-run', ...SHOP],
  ['mars', 'drain', '?', '--dry-run', ...SHOP],
  ['deploy/ledgr', 'drain', 'frankfurt', '--only', '?', '--dry-run', '--allow-blocked', ...SHOP],
  ['deploy/chekout', 'drain', 'frankfurt', '--skip', '?', '--dry-run', '--allow-blocked', ...SHOP],
  ['deploymnt', 'drain', 'frankfurt', '--kind', '?', '--dry-run', '--allow-blocked', ...SHOP],
  ['grace', 'drain', 'oregon', '--method', '?', '--dry-run', ...SHOP],
  ['mars', 'cordon', '?', '--dry-run', ...SHOP],
  ['franfurt', 'timeline', '?', ...INCIDENT],
  ['grave', 'doctor', '--fail-on', '?', ...SHOP],
  ['tolerates-for-ever', 'doctor', '--only', '?', ...SHOP],
  ['grave', 'lint', '-f', 'test/fixtures/evicts.yaml', '--fail-on', '?'],
  ['grave', 'taint-policy', 'validate', '-f', 'test/fixtures/evicts.yaml', '--fail-on', '?'],
  ['workload-lost', ...EVICTS, '--accept', '?'],
  ['evict-when-notready', 'taint-policy', 'delete', '?', '--dry-run', ...SHOP],
  ['nothing', 'taint-policy', 'delete', '?', '--dry-run', ...SHOP],
  ['evict-when-notready', 'taint-policy', 'explain', '?', ...SHOP],
  ['franfurt', 'taint-policy', 'explain', '--cluster', '?', ...SHOP],
  ['shiped', 'taint-policy', 'convert', '-f', 'test/fixtures/evicts.yaml', '--to', '?'],
  ['lots', 'audit', '--fail-on', '?', ...SHOP],
];

describe('an error suggests only working values for the first word of', () => {
  test.each(VALUES.map((one) => [one.join(' '), ...one] as const))('%s', (_, wrong, ...argv) => {
    const line = (word: string) => argv.map((one) => one.replace('?', word));
    const { code, stderr } = run(line(wrong));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: .*\n$/) });
    const values = offered(stderr);
    expect({ stderr, values }).not.toEqual({ stderr, values: [] });
    for (const value of values) {
      // a flag that needs a value is followed by one
      const tried = run(line(given(value)));
      if (!WORKS.includes(tried.code!)) throw new Error(`${line(given(value)).join(' ')}: ${tried.stderr}`);
    }
  });
});

/** A form of output, or a setting, with the value that it needs. */
function given(value: string): string {
  const [, form] = /^(jsonpath|custom-columns)(?:-file|-as-json)?=\.\.\.$/.exec(value) ?? [];
  if (value.includes('-file=')) return 'json';
  if (form !== undefined) return value.replace('...', form === 'jsonpath' ? '{.kind}' : 'KIND:.kind');
  return value === 'Failover'
    ? 'Failover=true'
    : value.replace('=...', '=20%').replace(/^headroom$/, 'headroom=20%');
}

const COMMANDS = [
  'evicton inspect',
  'drian',
  'evict',
  'inspect',
  'eviction relase',
  'statsu',
  'taint-policy aply',
  'fly',
];

test.each(COMMANDS)('the suggested commands for "%s" exist', (typed) => {
  const { code, stderr } = run(typed.split(' '));
  expect(code).toBe(2);
  const help = /see kubectl karmada-failover ?(.*) --help/.exec(stderr)?.[1];
  const commands = help === undefined ? offered(stderr) : [help];
  expect(commands).not.toEqual([]);
  for (const command of commands)
    expect(run([...command.split(' ').filter((word) => word !== ''), '--help']).code).toBe(0);
});

describe('the flags in a refusal accept', () => {
  test.each([
    ['drain frankfurt --dry-run', SHOP],
    ['drain frankfurt --dry-run', INCIDENT],
    ['drain frankfurt dublin --dry-run', INCIDENT],
  ])('%s %j', (line, state) => {
    const argv = [...line.split(' '), ...state];
    const { code, stderr } = run(argv);
    expect(code).toBe(1);
    const flags = /To proceed anyway: (.*)/.exec(stderr)![1]!.split(' ');
    expect(run([...argv, ...flags])).toMatchObject({ code: 0, stderr: '' });
  });

  test('taint-policy apply', () => {
    const { code, stdout } = run(EVICTS);
    expect(code).toBe(1);
    expect(run([...EVICTS, '--accept', /^kubectl .* --accept[= ](\S+)/m.exec(stdout)![1]!]).code).toBe(0);
  });

  test('cordon of files', () => {
    const argv = ['cordon', 'oregon', ...SHOP];
    const [flag] = /--dry-run=client/.exec(run(argv).stderr)!;
    expect(run([...argv, flag]).code).toBe(0);
  });
});

const ANSWERS = [SHOP, INCIDENT].flatMap((state) =>
  [
    'status',
    'audit',
    'audit --safe-together 2',
    'simulate --fail frankfurt',
    'diff --from v1.13 --to v1.18',
    'diff --from v1.13 --to v1.18 --fail frankfurt',
    'drain frankfurt dublin --dry-run',
    'eviction inspect',
    'timeline',
    'doctor',
    'taint-policy list',
  ].map((line) => [line, state] as const),
);

/** The words of a command after shell parsing; none of these needs quotes. */
const wordsOf = (command: string) => command.split(' ').slice(2);

const nextOf = (text: string) =>
  text.split('\n').flatMap((line) => /^ *(kubectl karmada-failover .*)$/.exec(line)?.[1] ?? []);

test('the commands suggested by answers run without an error', () => {
  const next = new Map<string, string>();
  const recorded = 'replay check examples/incident.rec';
  for (const [line, state] of [...ANSWERS, [recorded, []] as const])
    for (const command of nextOf(run([...line.split(' '), ...state]).stdout)) next.set(command, line);
  expect(next.size).toBeGreaterThan(8);
  for (const [command, from] of next) {
    const { code, stderr } = run(wordsOf(command));
    // commands that act on a live control plane are tried there
    const isLive = /^eviction (hold|cancel)|^uncordon/.test(wordsOf(command).join(' '));
    if (!isLive && !WORKS.includes(code!)) throw new Error(`${from} names ${command}, which says ${stderr}`);
  }
});
