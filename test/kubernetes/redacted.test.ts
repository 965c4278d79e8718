import { describe, expect, test } from '@jest/globals';
import { isSecretName, redacted, redactedData, redactedJson } from '../../src/kubernetes/redacted.ts';

describe('what must not be shown', () => {
  test.each([
    ['the password of a URL', 'http://user:hunter2@proxy:3128/x', 'http://***@proxy:3128/x'],
    ['a password with an @', 'http://user:p@ss@w0rd@proxy:3128', 'http://***@proxy:3128'],
    ['a password with a slash and an @', 'socks5://user:p/a@b@proxy:1080', 'socks5://***@proxy:1080'],
    ['a token as the user of a URL', 'https://12345678@github.com/a/b', 'https://***@github.com/a/b'],
    ['the users of two URLs', 'http://a:b@c/d and "https://e:f@g"', 'http://***@c/d and "https://***@g"'],
    ['a proxy without a scheme', 'HTTPS_PROXY=user:hunter2@proxy:3128', 'HTTPS_PROXY=***@proxy:3128'],
    ['one behind a URL', 'http://a/b,HTTPS_PROXY=user:hunter2@proxy', 'http://a/b,HTTPS_PROXY=***@proxy'],
    ['an Authorization header', 'Authorization: Bearer 12345', 'Authorization: ***'],
    ['a bearer token of digits', 'invalid bearer 12345678, go away', 'invalid bearer ***, go away'],
    ['basic credentials', 'sent Basic dXNlcjpodW50ZXIy', 'sent Basic ***'],
    ['a flag', '--token=12345 --v=4', '--token=*** --v=4'],
    ['a flag and its value apart', '--password hunter2 --v 4', '--password *** --v 4'],
    ['a variable', 'DB_PASSWORD=hunter2 PORT=80', 'DB_PASSWORD=*** PORT=80'],
    ['a field of JSON', '{"password":"hun\\"ter2","port":80}', '{"password":"***","port":80}'],
    ['a number in JSON', '{"token": 12345, "port":80}', '{"token": ***, "port":80}'],
    ['JSON in JSON', '"{\\"apiKey\\":\\"hun ter2\\"}"', '"{\\"apiKey\\":\\"***\\"}"'],
    ['a field of YAML', "client-key-data: 'abc'\nname: x", "client-key-data: '***'\nname: x"],
    ['a query', 'https://h/p?access_token=12345&x=1', 'https://h/p?access_token=***&x=1'],
    ['a value behind the word for it', 'the secret token=12345', 'the secret token=***'],
    ['a value within another', 'key: access_token=12345 x', 'key: access_token=*** x'],
    ['one in JSON', '{"key":"--password 12345"}', '{"key":"--password ***"}'],
    ['PEM', 'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b', 'a *** b'],
    ['PEM in JSON', '{"ca":"-----BEGIN X-----\\nMIIE\\n-----END X-----\\n","b":1}', '{"ca":"***\\n","b":1}'],
    ['PEM that is cut off', 'a -----BEGIN PRIVATE KEY-----\nMIIE', 'a ***'],
    ['PEM in base64', 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt x', '*** x'],
    ['a JSON Web Token', 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln!', 'got ***!'],
    ['a token of GitHub', `ghp_${'a1'.repeat(18)} x`, '*** x'],
  ])('%s', (_, given, shown) => {
    expect(redacted(given)).toBe(shown);
    expect(redacted(shown)).toBe(shown);
  });
});

describe('what stays as it is', () => {
  test.each([
    'user "ops" has a token and a password; only one of them can be used',
    'https://10.0.0.1:6443/apis/work.karmada.io/v1alpha2/resourcebindings?limit=500',
    'docker.io/karmada/karmada-scheduler:v1.18.2@sha256:0123456789abcdef',
    'basic auth is not configured, bearer tokens are',
    'tokenFile: /var/run/token, secretRef.name: member1, imagePullSecretName=x',
    'http://[::1]:8080/a@b',
    'someone@example.com wrote this',
    'shop/deployment/cart moves to zurich: 3 replicas',
  ])('%s', (text) => {
    expect(redacted(text)).toBe(text);
  });
});

test('data is redacted by the names of its fields too', () => {
  const data = {
    name: 'x',
    env: [{ url: 'http://a:b@c' }, { name: 'DB_PASSWORD', value: 'x' }],
    token: 'abc',
    tokens: 3,
    nested: { password: 'x', secretRef: { name: 'y' }, credentials: ['y', 'z'] },
  };
  expect(redactedData(data)).toEqual({
    name: 'x',
    env: [{ url: 'http://***@c' }, { name: 'DB_PASSWORD', value: '***' }],
    tokens: 3,
    token: '***',
    nested: { password: '***', secretRef: { name: 'y' }, credentials: ['***', '***'] },
  });
  const plain = { name: 'x', replicas: 3 };
  expect(redactedData(plain)).toEqual(plain);
});

test('objects of Kubernetes hold nothing secret, wherever in the data they are', () => {
  const secret = { kind: 'Secret', type: 'Opaque', data: { user: 'Y2FuYXJ5' }, stringData: { a: 'canary' } };
  const pod = {
    labels: { 'api-token': 'v2' },
    containers: [
      {
        command: ['run', '--token', 'canary', '--v', '4'],
        args: ['--db-password=canary', '-password', 'canary', '--proxy=http://a:canary@b'],
        env: [
          { name: 'ANY', value: 'canary' },
          { name: 'NONE', value: '' },
          { name: 'REF', valueFrom: { secretKeyRef: { name: 's', key: 'token' } } },
        ],
      },
    ],
  };
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":"canary"}' };
  const work = {
    kind: 'Work',
    manifests: [
      secret,
      { kind: 'ConfigMap', data: { 'app.conf': 'canary' } },
      { metadata: { annotations }, pod },
    ],
  };
  const shown = JSON.parse(redactedJson(work)) as typeof work;
  expect(JSON.stringify(shown)).not.toMatch(/canary|Y2FuYXJ5/);
  expect(shown).toEqual(redactedData(work));
  expect(shown.manifests[0]).toMatchObject({
    data: { user: '***' },
    stringData: { a: '***' },
    type: 'Opaque',
  });
  expect(shown.manifests[2]).toMatchObject({
    pod: {
      labels: { 'api-token': 'v2' },
      containers: [
        {
          command: ['run', '--token', '***', '--v', '4'],
          args: ['--db-password=***', '-password', '***', '--proxy=http://***@b'],
          env: [
            { name: 'ANY', value: '***' },
            { name: 'NONE', value: '' },
            { name: 'REF', valueFrom: { secretKeyRef: { name: 's', key: 'token' } } },
          ],
        },
      ],
    },
  });
});

test('a name tells of a secret, or of where it is', () => {
  for (const name of ['token', 'DB_PASSWORD', 'awsSecretAccessKey', 'client-key-data', 'api_key'])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of ['tokenFile', 'secretRef', 'name', 'secretName', 'key', 'tokenExpirationSeconds'])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

test.each([
  ['names', 'token', ''],
  ['blanks', 'token ', ''],
  ['addresses', 'a:b@', ''],
  ['URLs', 'http://a:', ''],
  ['backslashes', 'token\\', ''],
  ['quotes', '"token":"', ''],
  ['tokens', 'eyJ-', ''],
  ['bearers', 'bearer ', ''],
  ['PEM', '-----BEGIN X-----', ''],
  ['equal signs', 'token=', '@'],
])('a long text of %s takes no more steps per character than a short one', (_, piece, end) => {
  // a quadratic search of a megabyte would not end within the time of a test
  expect(redacted(piece.repeat(Math.ceil(1_000_000 / piece.length)) + end)).toBeDefined();
});

test.each([
  ['backslashes behind an escaped quote', `token=\\"${'\\'.repeat(1_000_000)}x`],
  ['URLs behind an address', `@${'a://h:x/'.repeat(125_000)}`],
  ['URLs before an address', `${'a://h:x/'.repeat(125_000)}@`],
])('%s take no more steps per character than a few', (_, text) => {
  expect(redacted(text)).toBeDefined();
});

test('what stands in an escaped quote is hidden to its end, whatever it escapes itself', () => {
  expect(redacted(String.raw`{\"token\":\"a\\b\\\\c\n\",\"x\":\"y\"}`)).toBe(
    String.raw`{\"token\":\"***\",\"x\":\"y\"}`,
  );
});
