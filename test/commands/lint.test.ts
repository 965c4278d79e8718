import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { run } from './cli.ts';
import { sarifBreaches } from './sarifSchema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const POLICY = (more = '', seconds = 300) => `# the shop
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: web # keep me
  namespace: shop
spec:
${more}  resourceSelectors:
    - apiVersion: apps/v1
      kind: Deployment
      name: web
  placement:
    clusterAffinity:
      clusterNames: [frankfurt, dublin]
  failover:
    application:
      decisionConditions:
        tolerationSeconds: ${seconds}
      purgeMode: Gracefully
`;
const DEPS = '  propagateDeps: true\n';

function written(text: string, name = 'policy.yaml'): string {
  const file = join(temporaryFolder('lint-'), name);
  writeFileSync(file, text);
  return file;
}

const lint = (file: string, ...argv: string[]) => run(['lint', '-f', file, ...argv]);

describe('lint', () => {
  test('finds nothing in a sound policy, also in SARIF', () => {
    const file = written(POLICY(DEPS));
    expect(lint(file)).toMatchObject({ code: 0 });
    const log = JSON.parse(lint(file, '-o', 'sarif').stdout) as { runs: { results: unknown[] }[] };
    expect(log.runs[0]!.results).toEqual([]);
    expect(sarifBreaches(log)).toBe('');
  });

  test('reports an unknown version with its flag --target-version', () => {
    const file = written(POLICY(DEPS));
    expect(lint(file, '--target-version', 'foo').stderr).toMatch(
      /^error: --target-version "foo" is not a version/,
    );
    expect(lint(file, '--target-version', 'v1.99').stderr).toMatch(
      /^warning: --target-version: v1\.99 is newer/,
    );
  });

  test.each([
    ['apps.karmada.io', 'WorkloadRebalancer', 'rebalanceWith: {}', 'spec.rebalanceWith'],
    [
      'networking.karmada.io',
      'MultiClusterService',
      'ports: [{port: 80, protocol: TCP}]',
      'spec.ports[0].protocol',
    ],
    ['autoscaling.karmada.io', 'CronFederatedHPA', 'rule: []', 'spec.rule'],
    ['autoscaling.karmada.io', 'FederatedHPA', 'metric: []', 'spec.metric'],
    ['cluster.karmada.io', 'Cluster', 'syncmode: Push', 'spec.syncmode'],
    ['remedy.karmada.io', 'Remedy', 'action: [TrafficControl]', 'spec.action'],
    [
      'operator.karmada.io',
      'Karmada',
      'components: {karmadaControllerManager: {featureGate: {Failover: true}}}',
      'spec.components.karmadaControllerManager.featureGate',
    ],
    [
      'config.karmada.io',
      'ResourceInterpreterCustomization',
      'customizations: {health: {}}',
      'spec.customizations.health',
    ],
  ])('checks the fields of %s: %s', (group, kind, spec, field) => {
    const { stdout, code } = lint(
      written(`apiVersion: ${group}/v1alpha1\nkind: ${kind}\nmetadata: {name: web}\nspec:\n  ${spec}\n`),
    );
    expect(stdout).toContain(`:5:`);
    expect(stdout).toContain(`unknown field "${field}" [unknown-field]`);
    expect(code).toBe(1);
  });

  test('prints valid SARIF with ignored findings as suppressed, and JUnit', () => {
    const text = `${POLICY(DEPS, 10)}---\n${POLICY(DEPS, 10).replace('name: web #', 'name: cart #')}`;
    const file = written(
      text.replace(
        'tolerationSeconds: 10',
        'tolerationSeconds: 10 # karmada-failover: ignore toleration-shorter-than-start known',
      ),
    );
    const log = JSON.parse(lint(file, '-o', 'sarif').stdout) as {
      runs: { results: { suppressions: unknown[]; locations: object[] }[] }[];
    };
    expect(sarifBreaches(log)).toBe('');
    const { results } = log.runs[0]!;
    expect(results.map(({ suppressions }) => suppressions.length)).toEqual([1, 0]);
    expect(results[1]!.locations[0]).toMatchObject({
      physicalLocation: { region: { startLine: 40, startColumn: 9 } },
    });
    const junit = lint(file, '-o', 'junit', '--fail-on', 'warning').stdout;
    expect(junit).toMatch(/<testsuites[^>]* failures="1"/);
    expect(junit).toMatch(/toleration-shorter-than-start/);
  });

  test('reports a PropagationPolicy that the webhook refuses, with file, line and column', () => {
    const file = written(POLICY());
    const { code, stdout } = lint(file);
    expect(code).toBe(1);
    expect(stdout).toContain(`${file}:7:1: error: spec.propagateDeps: Invalid value: false`);
  });

  test('reports a misspelt Karmada kind, group or field, and skips other objects', () => {
    const near = lint(written(POLICY(DEPS).replace('PropagationPolicy', 'PropagationPolicie')));
    expect(near.stdout).toMatch(/:2?\d:1: error: .*write PropagationPolicy \[unknown-api\]/);
    const field = lint(written(POLICY(`${DEPS}  placment: {}\n`)));
    expect(field.stdout).toMatch(/unknown field "spec.placment" \[unknown-field\]/);
    const others = lint(
      written(`${POLICY(DEPS)}---\napiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: z}\n`),
    );
    expect(others).toMatchObject({ code: 0 });
    expect(others.stdout).toMatch(/1 object of other kinds skipped/);
    const plural = lint(written(POLICY(DEPS).replace('PropagationPolicy', 'PropagationPolicies')));
    expect(plural.stdout).toContain('write PropagationPolicy [unknown-api]');
  });

  test('reports an unknown kind in a Karmada group, but skips files of karmadactl', () => {
    const none = lint(
      written('apiVersion: work.karmada.io/v1alpha2\nkind: Placement\nmetadata: {name: a}\n'),
    );
    expect(none.stdout).toMatch(/:2:1: error: no matches for kind "Placement" .*ClusterResourceBinding/);
    const init = lint(written('apiVersion: config.karmada.io/v1alpha1\nkind: KarmadaInitConfig\n'));
    expect(init.stdout).toContain('1 object of other kinds skipped');
  });

  test('runs the checks of the catalogue that need only a policy', () => {
    const { stdout, code } = lint(written(POLICY(DEPS, 10)), '--fail-on', 'warning');
    expect(stdout).toMatch(/policy.yaml:19:\d+: warning: .*\[toleration-shorter-than-start\]/);
    expect(code).toBe(1);
  });

  test('checks the clusters of policies against a named control plane', () => {
    const file = written(POLICY(DEPS).replace('dublin', 'dubln'));
    expect(lint(file).stdout).not.toMatch(/cluster-name-unknown/);
    expect(lint(file, '--state', 'examples/shop').stdout).toMatch(
      /warning: .*there is no cluster dubln \[cluster-name-unknown\]/,
    );
  });

  test('finds the priority class of a policy missing only in a control plane that has others', () => {
    const file = written(
      POLICY(
        `${DEPS}  schedulePriority: { priorityClassSource: KubePriorityClass, priorityClassName: gold }\n`,
      ),
    );
    const lintAmong = (...classes: string[]) => {
      const state = written(
        [
          readFileSync('examples/shop/control-plane.json', 'utf8'),
          ...classes.map((name) =>
            JSON.stringify({
              ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 5 },
              metadata: { name },
            }),
          ),
        ].join('\n---\n'),
      );
      return lint(file, '--state', state, '--assume', 'PriorityBasedScheduling=true').stdout;
    };
    expect(lintAmong('silver')).toMatch(/:9:3: warning: .*PriorityClass gold.* \[reference-missing\]/);
    expect(lintAmong('silver', 'gold')).not.toMatch(/reference-missing/);
    expect(lintAmong()).not.toMatch(/reference-missing/);
  });

  test('suggests the rule for a misspelt rule in an ignore comment, and refers to the list in a configuration', () => {
    const text = POLICY(DEPS, 10).replace(
      'tolerationSeconds: 10',
      'tolerationSeconds: 10 # karmada-failover: ignore toleration-shorter-then-start x',
    );
    const meant = /there is no rule (\S+): write toleration-shorter-than-start \[useless-ignore\]/;
    expect(meant.exec(lint(written(text)).stdout)?.[1]).toBe('toleration-shorter-then-start');
    const config = written('ignore:\n  - rule: toleration-shorter-start\n    reason: x\n', 'misspelt.yaml');
    expect(lint(written(POLICY(DEPS)), '--config', config).stdout).toMatch(
      /there is no rule toleration-shorter-start; docs\/checks\.md lists all/,
    );
  });

  test('finds invalid label selectors, duplicate objects, and ignore comments without a rule', () => {
    const invalid = POLICY(DEPS).replace(
      '      name: web\n',
      '      labelSelector: {matchExpressions: [{key: app, operator: Equals, values: [a]}]}\n',
    );
    const { stdout } = lint(written(`# karmada-failover: ignore\n${invalid}---\n${POLICY(DEPS)}`));
    expect(stdout).toMatch(
      /error: .*operator Equals of app is none of In, NotIn, .* \[label-selector-invalid\]/,
    );
    expect(stdout).toMatch(
      /warning: PropagationPolicy .* is in this text already, at line 3: .* \[duplicate-object\]/,
    );
    expect(stdout).toMatch(
      /:1:1: warning: the comment names no rule: write ignore RULE reason \[useless-ignore\]/,
    );
  });

  test('reports the position of a value of the wrong type', () => {
    const file = written(POLICY(DEPS).replace('kind: Deployment', 'kind: 5'));
    expect(lint(file).stdout).toMatch(
      /:\d+:\d+: error: json: cannot unmarshal number .*resourceSelectors\.kind/,
    );
    expect(lint(file).stdout).not.toMatch(/:1:1: error/);
  });

  test('warns of workloads that tolerate the taint of a failed cluster forever', () => {
    const forever = POLICY(DEPS).replace(
      'placement:\n',
      'placement:\n    clusterTolerations: [{key: cluster.karmada.io/not-ready, operator: Exists}]\n',
    );
    expect(lint(written(forever)).stdout).toMatch(/warning: .*forever.* \[tolerates-forever\]/);
    const hour = forever.replace(
      'operator: Exists',
      'operator: Exists, effect: NoExecute, tolerationSeconds: 60',
    );
    expect(lint(written(hour)).stdout).not.toMatch(/tolerates-forever/);
  });

  test('ignores a finding by comment or configuration, and reports an ignore without a finding', () => {
    const text = POLICY(DEPS, 10);
    const ignored = text.replace(
      'tolerationSeconds: 10',
      'tolerationSeconds: 10 # karmada-failover: ignore toleration-shorter-than-start it starts in 2 s',
    );
    const byComment = lint(written(ignored), '--fail-on', 'warning');
    expect(byComment).toMatchObject({ code: 0 });
    expect(byComment.stdout).toMatch(/ignored: it starts in 2 s/);
    const config = written(
      'ignore:\n  - rule: toleration-shorter-than-start\n    reason: known\n',
      'config.yaml',
    );
    expect(lint(written(text), '--config', config, '--fail-on', 'warning')).toMatchObject({ code: 0 });
    const useless = lint(written(ignored.replace('Seconds: 10 ', 'Seconds: 300 ')));
    expect(useless.stdout).toMatch(/warning: the rule toleration-shorter-than-start finds nothing here/);
  });

  test.each([
    ['', /config.yaml: is empty; write a list "ignore"/],
    ['ignore:\n- {rule: a, reason: b, files: manifests/}\n', /:2: ignore\[0\]\.files is not a list of paths/],
    ['ignore:\n- {rule: a, reason: b, file: [m/]}\n', /:2: ignore\[0\]\.file is not a field here/],
  ])('refuses a configuration that ignores a rule in all files: %j', (text, message) => {
    const refused = lint(written(POLICY()), '--config', written(text, 'config.yaml'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  test('reports an unreadable configuration', () => {
    expect(lint(written(POLICY()), '--config', 'src')).toMatchObject({
      code: 2,
      stderr: 'error: --config src: is a directory; name a file in it\n',
    });
  });

  test('writes certain fixes with --fix, and keeps comments', () => {
    const file = written(POLICY());
    expect(lint(file, '--fix')).toMatchObject({ code: 0 });
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('name: web # keep me');
    expect(after).toMatch(/^ {2}propagateDeps: true$/m);
  });

  test('refuses --fix for a file that is not UTF-8', () => {
    const file = written(POLICY());
    const bytes = Buffer.from(`\ufeff${POLICY()}`, 'utf16le');
    writeFileSync(file, bytes);
    expect(lint(file, '--fix').stderr).toMatch(/was not fixed: it is not a separate UTF-8 file;/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('finds without a control plane that one cluster failure makes a policy unschedulable', () => {
    const spread = (minGroups: number) =>
      POLICY(DEPS).replace(
        '  failover:',
        `    spreadConstraints:\n      - spreadByField: cluster\n        minGroups: ${minGroups}\n  failover:`,
      );
    expect(lint(written(spread(2))).stdout).toMatch(
      /:18:\d+: warning: .*minGroups is 2, and it names 2 clusters: if one fails, nothing can be scheduled \[no-spare-cluster\]/,
    );
    expect(lint(written(spread(3)))).toMatchObject({ code: 1 });
    expect(lint(written(spread(1))).stdout).not.toContain('no-spare-cluster');
    expect(lint(written(POLICY(DEPS).replace(', dublin', ''))).stdout).toMatch(
      /note: .*it names frankfurt only.*\[no-spare-cluster\]/,
    );
  });

  test('checks probes and tolerations of workloads, and the clusters of overrides', () => {
    const workload = (pod: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  template:\n    spec:\n${pod}`;
    const sound = workload('      containers: [{name: web, readinessProbe: {}}]\n');
    const late = workload('      containers: [{name: web}]\n      tolerations: [{operator: Exists}]\n');
    expect(lint(written(sound)).stdout).toContain('nothing found');
    const { stdout } = lint(written(late));
    expect(stdout).toMatch(/:7:\d+: note: .*\[no-readiness-probe\]/);
    expect(stdout).toMatch(/:8:\d+: note: .*\[pod-tolerates-dead-node\]/);
    const override =
      'apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\nmetadata: {name: registry, namespace: shop}\nspec:\n' +
      '  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]\n' +
      '  overrideRules: [{targetCluster: {clusterNames: [frankfurt]}, overriders: {}}]\n';
    expect(lint(written(`${POLICY(DEPS)}---\n${override}`)).stdout).toMatch(
      /note: OverridePolicy shop\/registry is not for dublin, where Deployment shop\/web may move to \[override-misses-a-home\]/,
    );
  });

  test('reports unknown Karmada metrics, also in files of rules', () => {
    const rules = (metric: string) =>
      `groups:\n  - name: karmada\n    rules:\n      - alert: Growing\n        expr: ${metric} > 100\n`;
    expect(lint(written(rules('karmada_eviction_queue_depth'))).stdout).toMatch(
      /:5:\d+: warning: alert Growing queries karmada_eviction_queue_depth.*\[alert-on-unknown-metric\]/,
    );
    expect(lint(written(rules('eviction_queue_depth'))).stdout).toContain('nothing found');
  });

  test('checks overlays separately if they have policies for the same workload', () => {
    const file = written(POLICY(DEPS, 10));
    writeFileSync(join(file, '..', 'second.yaml'), POLICY(DEPS, 20));
    const { stdout } = lint(join(file, '..'));
    expect(stdout).toMatch(/policy\.yaml:19:9: warning: .*evicted after 10 s/);
    expect(stdout).toMatch(/second\.yaml:19:9: warning: .*evicted after 20 s/);
    expect(stdout).toMatch(/: 2 warnings;/);
  });

  test('skips Helm templates in a directory, with a warning', () => {
    const file = written(POLICY(DEPS, 10));
    writeFileSync(join(file, '..', 'template.yaml'), 'caBundle: {{caBundle}}\n');
    const { stdout, stderr } = lint(join(file, '..'));
    expect(stdout).toContain('[toleration-shorter-than-start]');
    expect(stderr).toMatch(/template\.yaml:1:\d+: .*; the file is skipped/);
  });

  test('skips recordings in a directory with a warning, and refuses a recording as a file', () => {
    const file = written(POLICY(DEPS, 10));
    const recording = resolve('examples/incident.rec');
    copyFileSync(recording, join(file, '..', 'incident.rec'));
    const { stdout, stderr } = lint(join(file, '..'));
    expect(stdout).not.toContain('unreadable-document');
    expect(stderr).toMatch(/incident\.rec is a recording; the file is skipped/);
    expect(lint(recording)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/incident\.rec: is a recording, which holds no manifests; leave it out/),
    });
  });

  test('reports schedules that never run and impossible replica counts', () => {
    const scaler = (rules: string) => `apiVersion: autoscaling.karmada.io/v1alpha1
kind: CronFederatedHPA
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  rules:
${rules}`;
    const rule = (schedule: string, replicas: number) =>
      `    - {name: night, schedule: "${schedule}", targetReplicas: ${replicas}}\n`;
    const { stdout, code } = lint(written(scaler(rule('0 22 30 2 *', 2) + rule('0 22 * * *', -2))));
    expect(stdout).toMatch(/:7:21: error: .*rule night never runs at "0 22 30 2 \*".*\[impossible-scaling\]/);
    expect(stdout).toMatch(/:8:\d+: error: .*rule night sets -2 replicas.*\[impossible-scaling\]/);
    expect(code).toBe(1);
    expect(lint(written(scaler(rule('0 22 * * *', 0)))).stdout).toContain('nothing found');
  });

  test('reports an invalid YAML document, and checks the other documents and files', () => {
    const broken = 'apiVersion: v1\nkind: ConfigMap\ndata:\n a: b\n   c: d\n';
    const file = written(`${broken}---\n${POLICY(DEPS, 10)}`, 'broken.yaml');
    writeFileSync(join(file, '..', 'second.yaml'), POLICY(DEPS, 20));
    for (const named of [[join(file, '..')], [file, join(file, '..', 'second.yaml')]]) {
      const { stdout, code } = run(['lint', '-f', ...named]);
      expect(stdout).toMatch(/broken\.yaml:4:5: error: not valid YAML: .* \[unreadable-document\]/);
      expect(stdout).toMatch(/broken\.yaml:25:\d+: warning: .*evicted after 10 s/);
      expect(stdout).toMatch(/second\.yaml:19:\d+: warning: .*evicted after 20 s/);
      expect(code).toBe(1);
    }
    const sarif = JSON.parse(lint(file, '-o', 'sarif').stdout) as object;
    expect(sarifBreaches(sarif)).toBe('');
  });

  test.each([
    ['a NUL byte', Buffer.from('apiVersion: v1\nkind: ConfigMap\n\0'), 1, 'is binary'],
    ['a NUL byte far from the start', Buffer.from(`kind: X\n${' '.repeat(2000)}\0\n`), 1, 'holds a NUL byte'],
    [
      'bytes that are not UTF-8',
      Buffer.from('apiVersion: v1\nkind: "\xff"\n', 'latin1'),
      2,
      'not valid UTF-8',
    ],
    ['more than 32 MiB', Buffer.alloc(33 * 1024 * 1024, '#\n'), 1, 'is larger than 32 MiB'],
    ['a truncated archive', Buffer.from([0x1f, 0x8b, 8, 0, 1]), 1, 'the gzip file is truncated'],
  ])('reports a file with %s, and checks the rest of its directory', (_, bytes, line, problem) => {
    const file = written(POLICY(DEPS, 10));
    const broken = join(file, '..', 'broken.yaml');
    writeFileSync(broken, bytes);
    writeFileSync(join(file, '..', 'empty.yaml'), '');
    for (const named of [join(file, '..'), broken]) {
      const { stdout, code } = lint(named);
      expect(stdout).toContain(`${broken}:${line}:1: error: ${problem}`);
      expect(stdout).toMatch(/\[unreadable-document\]/);
      expect(stdout.includes('[toleration-shorter-than-start]')).toBe(named !== broken);
      expect(code).toBe(1);
    }
  });

  test('reports broken and circular links in a directory, and checks the rest', () => {
    const file = written(POLICY(DEPS, 10));
    const directory = join(file, '..');
    symlinkSync(join(directory, 'gone.yaml'), join(directory, 'a.yaml'));
    symlinkSync('circle.yaml', join(directory, 'circle.yaml'));
    symlinkSync('gone', join(directory, 'README.md'));
    const { stdout, code } = lint(directory);
    expect(stdout).toContain(`${directory}/a.yaml:1:1: error: no such file or directory`);
    expect(stdout).toContain(`${directory}/circle.yaml:1:1: error: too many symbolic links`);
    expect(stdout).not.toContain('README.md');
    expect(stdout).toMatch(/\[toleration-shorter-than-start\]/);
    expect(code).toBe(1);
  });

  // printed by Helm v3.18.6 and kustomize v5.7.1 from the chart and the kustomization next to them
  const rendered = (name: string) => readFileSync(`test/fixtures/rendered/${name}.yaml`, 'utf8');
  const TOO_SHORT = /evicted after 20 s .* \[toleration-shorter-than-start\]/;

  test.each([
    ['helm', /stdin:81:9: warning: Deployment shop\/web is/, /3 objects in 1 file/, 'simulate --apply=-'],
    [
      'kustomize',
      /stdin:34:9: warning: Deployment shop\/web is/,
      /2 objects in 1 file/,
      'taint-policy apply -f - --dry-run',
    ],
  ])('reads the output of %s from stdin, with positions in it', (tool, place, count, next) => {
    const { stdout, code } = run(['lint', '-f', '-', '--fail-on', 'warning'], { stdin: rendered(tool) });
    expect(stdout).toMatch(place);
    expect(stdout).toMatch(TOO_SHORT);
    expect(stdout).toMatch(count);
    expect(stdout).toContain(`\nkubectl karmada-failover ${next}\n`);
    expect(code).toBe(1);
  });

  (spawnSync('kubectl', ['version', '--client']).status === 0 ? test : test.skip)(
    'builds a kustomization as kubectl does',
    () => {
      const { stdout } = run(['lint', '-k', 'test/fixtures/rendered/kustomization']);
      expect(stdout).toMatch(/kustomize test\/fixtures\/rendered\/kustomization:34:9: warning/);
      expect(stdout).toMatch(TOO_SHORT);
    },
  );
});

describe('lint in pipelines', () => {
  const directory = temporaryFolder('action-');
  const program = join(directory, 'kubectl-karmada_failover');
  writeFileSync(program, `#!/bin/sh\nexec node "${resolve('bin/kubectl-karmada_failover.js')}" "$@"\n`);
  chmodSync(program, 0o755);
  const PATH = `${directory}:${process.env['PATH']}`;

  test('writes SARIF in the GitHub Action, and fails on errors', () => {
    const { runs } = parse(readFileSync('action.yml', 'utf8')) as { runs: { steps: { run: string }[] } };
    const steps = (manifests: string, sarif: string) =>
      spawnSync('bash', ['-e', '-c', runs.steps.map((step) => step.run).join('\n')], {
        env: { ...process.env, PATH, MANIFESTS: manifests, TARGET: '', FAIL_ON: 'error', SARIF: sarif },
      }).status;
    const sarif = join(directory, 'out.sarif');
    expect(steps(written(POLICY(DEPS)), sarif)).toBe(0);
    expect(steps(written(POLICY()), sarif)).toBe(1);
    expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  test('accepts file names appended by the pre-commit hook', () => {
    const [hook] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as {
      entry: string;
      language: string;
    }[];
    expect(hook!.language).toBe('system');
    const words = [...hook!.entry.split(' '), written(POLICY(DEPS)), written(POLICY(DEPS))];
    expect(
      execFileSync(words[0]!, words.slice(1), { env: { ...process.env, PATH }, encoding: 'utf8' }),
    ).toMatch(/nothing found/);
  });

  test('skips files without an object, which the hook passes too', () => {
    const values = written('replicas: 2\n', 'values.yaml');
    expect(run(['lint', values, written('', 'empty.yaml')])).toMatchObject({ code: 0 });
    expect(run(['lint', values, written(POLICY())]).stdout).toMatch(/propagateDeps/);
    expect(lint(values)).toMatchObject({ code: 2 });
  });
});
