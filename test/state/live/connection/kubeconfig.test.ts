import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadKubeconfig } from '../../../../src/state/live/connection/kubeconfig.ts';
import { Workbench } from '../connecting.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const load = (list: string) => loadKubeconfig(undefined, { KUBECONFIG: list });

describe('a list of kubeconfig files', () => {
  test('takes each entry from the first file that contains it', async () => {
    const first = bench.kubeconfig('first', {
      'current-context': 'a',
      contexts: { a: { cluster: 'one' } },
      users: { red: { token: 'first' } },
    });
    const second = bench.kubeconfig('second', {
      'current-context': 'b',
      contexts: { a: { cluster: 'two', user: 'red' }, b: { cluster: 'two' } },
      users: { red: { username: 'x', password: 'y' }, blue: { token: 'second' } },
    });
    const { currentContext, contexts, users } = await load(`${first}:${second}`);
    expect(currentContext).toBe('a');
    expect([...contexts]).toEqual([
      ['a', { cluster: 'one' }],
      ['b', { cluster: 'two' }],
    ]);
    expect([...users]).toEqual([
      ['red', { token: 'first' }],
      ['blue', { token: 'second' }],
    ]);
  });

  test('takes the current context from the first file that has one', async () => {
    const first = bench.kubeconfig('first', { users: { red: { token: 'x' } } });
    const second = bench.kubeconfig('second', { 'current-context': 'b' });
    expect((await load(`${first}:${second}`)).currentContext).toBe('b');
  });

  test('may contain missing, empty and repeated files', async () => {
    const there = bench.kubeconfig('there', { 'current-context': 'a' });
    const empty = bench.file('empty', '');
    const missing = `${bench.directory}/missing`;
    const config = await load(`${missing}:${there}::${empty}:${there}`);
    expect(config.files).toEqual([there, empty]);
    expect(config.missing).toEqual([missing]);
  });
});

test('the file in --kubeconfig replaces all others and must exist', async () => {
  const one = bench.kubeconfig('one', { 'current-context': 'a' });
  const other = bench.kubeconfig('other', { 'current-context': 'b' });
  expect((await loadKubeconfig(one, { KUBECONFIG: other })).currentContext).toBe('a');
  await expect(loadKubeconfig(`${bench.directory}/none`, {})).rejects.toThrow(
    /^--kubeconfig .*none: there is no such file/,
  );
});

test('a kubeconfig that is a directory is refused', async () => {
  await expect(loadKubeconfig(bench.directory, {})).rejects.toThrow(
    `kubeconfig ${bench.directory} cannot be read: is a directory; name a file in it`,
  );
});

test('the default kubeconfig is ~/.kube/config', async () => {
  bench.kubeconfig('.kube/config', { 'current-context': 'home' });
  expect((await loadKubeconfig(undefined, { HOME: bench.directory })).currentContext).toBe('home');
});

test('relative paths in a kubeconfig are relative to the file', async () => {
  bench.kubeconfig('a/config', {
    clusters: { c: { 'certificate-authority': 'ca.crt' } },
    users: {
      u: { 'client-certificate': '../u.crt', 'client-key': '/abs/u.key', tokenFile: 'token' },
      path: { exec: { command: 'aws' } },
      relative: { exec: { command: './bin/login' } },
    },
  });
  const { clusters, users } = await loadKubeconfig(`${bench.directory}/a/config`, {});
  const at = bench.directory;
  expect(clusters.get('c')).toEqual({ 'certificate-authority': `${at}/a/ca.crt` });
  expect(users.get('u')).toEqual({
    'client-certificate': `${at}/u.crt`,
    'client-key': '/abs/u.key',
    tokenFile: `${at}/a/token`,
  });
  expect(users.get('path')!.exec!.command).toBe('aws');
  expect(users.get('relative')!.exec!.command).toBe(`${at}/a/bin/login`);
});

test('a kubeconfig may have the YAML layout of kubectl or any other layout', async () => {
  const kubectl = bench.file(
    'kubectl',
    `apiVersion: v1
clusters:
- cluster:
    server: https://10.0.0.1:6443
  name: karmada
current-context: "yes"
kind: Config
preferences: {}
users: null
`,
  );
  const byHand = bench.file(
    'byHand',
    `# mine
apiVersion: v1
kind: Config
users: [{name: me, user: {token: "123"}}]
contexts:
  - {name: mine, context: &c {cluster: karmada}}
  - name: same
    context: *c
`,
  );
  const { clusters, users, contexts, currentContext } = await load(`${kubectl}:${byHand}`);
  expect(clusters.get('karmada')).toEqual({ server: 'https://10.0.0.1:6443' });
  expect(currentContext).toBe('yes');
  expect(users.get('me')).toEqual({ token: '123' });
  expect(contexts.get('same')).toEqual({ cluster: 'karmada' });
});

describe('an invalid kubeconfig is refused', () => {
  const cases: [string, string, RegExp][] = [
    ['text that is not YAML', 'a: [', /^kubeconfig \S+ cannot be parsed: not valid YAML/],
    ['another kind', 'kind: Pod\n', /has kind Pod, not Config/],
    ['binary data', '\0\u0001\u0002', /^kubeconfig \S+ is binary, not YAML; check the path$/],
    ['a list instead of an object', '- a\n', /holds a list, not an object of kind Config/],
    ['an object as clusters', 'clusters: {}\n', /clusters holds an object, not a list; correct it/],
    ['a user without a name', 'users:\n- user: {}\n', /users\[0\]\.name is missing/],
    ['a duplicate user name', 'users:\n- name: a\n- name: a\n', /users has two entries named "a"/],
    [
      'a number as token',
      'users:\n- name: a\n  user:\n    token: 12\n',
      /user "a": token is a number, not text; put it in/,
    ],
  ];
  test.each(cases)('given %s', async (_, text, message) => {
    await expect(load(bench.file('config', text))).rejects.toThrow(message);
    await expect(load(bench.file('config', text))).rejects.toHaveProperty('exitCode', 2);
  });

  const canary = ['31337', '[x31337]', '{x: 31337}', '"a\\0 31337"'];
  const users: [string, (value: string) => string][] = [
    ['token', (value) => `{token: ${value}}`],
    ['password', (value) => `{password: ${value}}`],
    ['client-key-data', (value) => `{client-key-data: ${value}}`],
    ['as-groups[0]', (value) => `{as: a, as-groups: [${value}]}`],
    ['as-user-extra.a[0]', (value) => `{as: a, as-user-extra: {a: [${value}]}}`],
    ['exec.command', (value) => `{exec: {command: ${value}}}`],
    ['exec.installHint', (value) => `{exec: {installHint: ${value}}}`],
    ['exec.args[1]', (value) => `{exec: {args: [--token, ${value}]}}`],
    ['exec.env[0].value', (value) => `{exec: {env: [{name: TOKEN, value: ${value}}]}}`],
    ['auth-provider.name', (value) => `{auth-provider: {name: ${value}}}`],
    ['auth-provider.config.id-token', (value) => `{auth-provider: {config: {id-token: ${value}}}}`],
  ];
  test.each(users)('given %s that is not text, without that value in the error', async (path, user) => {
    for (const value of canary) {
      const text = bench.file('config', `users:\n- name: u\n  user: ${user(value)}\n`);
      const error = await load(text).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error).toHaveProperty('exitCode', 2);
      expect(error!.message).toContain(`user "u": ${path} `);
      expect(error!.message).not.toContain('31337');
    }
  });

  test.each([
    ['exec: 5', 'exec is a number, not an object'],
    ['exec: {args: a}', 'exec.args is a string, not a list'],
    ['exec: {env: {TOKEN: a}}', 'exec.env is an object, not a list'],
    ['exec: {env: [null]}', 'exec.env[0] is null; remove it'],
    ['exec: {provideClusterInfo: "yes"}', 'exec.provideClusterInfo is a string, not true or false'],
    ['auth-provider: oidc', 'auth-provider is a string, not an object'],
    ['as-groups: a', 'as-groups is a string, not a list'],
    ['as-user-extra: [a]', 'as-user-extra is a list, not an object'],
  ])('given a user with %s', async (user, message) => {
    const text = bench.file('config', `users:\n- name: u\n  user: {${user}}\n`);
    await expect(load(text)).rejects.toThrow(`user "u": ${message}`);
  });

  test('given text as a boolean field of a cluster', async () => {
    const text = bench.file(
      'config',
      'clusters:\n- name: c\n  cluster: {insecure-skip-tls-verify: "false"}\n',
    );
    await expect(load(text)).rejects.toThrow(
      'cluster "c": insecure-skip-tls-verify is a string, not true or false',
    );
  });
});
