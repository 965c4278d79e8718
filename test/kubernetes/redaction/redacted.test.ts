import { describe, expect, test } from '@jest/globals';
import { isSecretName, redacted } from '../../../src/kubernetes/redaction/redacted.ts';
import {
  createRedactor,
  redactedData,
  redactedJson,
} from '../../../src/kubernetes/redaction/redactedData.ts';

describe('redaction hides', () => {
  test.each([
    ['a token without an object', 'Invalid token: hunter2', 'Invalid token: ***'],
    ['a token after a kind', 'no Service token: hunter2', 'no Service token: ***'],
    [
      'a bootstrap token after a kind',
      'of Cluster bootstrap-token: hunter2',
      'of Cluster bootstrap-token: ***',
    ],
    ['a token field below a kind', 'kind: Deployment\n  token: hunter2', 'kind: Deployment\n  token: ***'],
    ['the password in a URL', 'http://user:hunter2@proxy:3128/x', 'http://***@proxy:3128/x'],
    ['a password with an @ in a URL', 'http://user:p@ss@w0rd@proxy:3128', 'http://***@proxy:3128'],
    [
      'a password with a slash and an @ in a URL',
      'socks5://user:p/a@b@proxy:1080',
      'socks5://***@proxy:1080',
    ],
    [
      'a password in a URL that begins like a port',
      'http://user:8080/pass@proxy:3128',
      'http://***@proxy:3128',
    ],
    ['a password of digits and a slash in a URL', 'http://user:80/@proxy', 'http://***@proxy'],
    ['a password with an @ after a slash in a URL', 'http://user:80/p@ss@proxy', 'http://***@proxy'],
    ['a password with a leading slash in a URL', 'http://user:/pass@proxy', 'http://***@proxy'],
    ['passwords with a ? and a # in URLs', 'http://u:1?p@a http://u:1#p@a', 'http://***@a http://***@a'],
    [
      'a password before an image with a digest',
      'oci://u:80/p@h/cart@sha256:01',
      'oci://***@h/cart@sha256:01',
    ],
    ['the password in the first of two URLs', 'http://u:80/p@h,http://i/', 'http://***@h,http://i/'],
    ['a token as the user of a URL', 'https://12345678@github.com/a/b', 'https://***@github.com/a/b'],
    ['the users of two URLs', 'http://a:b@c/d and "https://e:f@g"', 'http://***@c/d and "https://***@g"'],
    [
      'the password of a proxy without a scheme',
      'HTTPS_PROXY=user:hunter2@proxy:3128',
      'HTTPS_PROXY=***@proxy:3128',
    ],
    [
      'a proxy password after a URL',
      'http://a/b,HTTPS_PROXY=user:hunter2@proxy',
      'http://a/b,HTTPS_PROXY=***@proxy',
    ],
    ['an Authorization header', 'Authorization: Bearer 12345', 'Authorization: ***'],
    ['a bearer token of digits', 'invalid bearer 12345678, go away', 'invalid bearer ***, go away'],
    ['basic credentials', 'sent Basic dXNlcjpodW50ZXIy', 'sent Basic ***'],
    ['the password in curl -u', 'curl -sS -u bob:hunter2 https://h/x', 'curl -sS -u bob:*** https://h/x'],
    ['the password in curl flags combined with -u', "curl -su 'bob:hunter2' h", "curl -su 'bob:***' h"],
    ['the password in curl --user', 'curl https://h --user=bob:hunter2', 'curl https://h --user=bob:***'],
    ['a password named pw', 'pw=hunter2 DB_PW=hunter2', 'pw=*** DB_PW=***'],
    ['the value of a flag', '--token=12345 --v=4', '--token=*** --v=4'],
    ['the value of a flag in the next argument', '--password hunter2 --v 4', '--password *** --v 4'],
    ['the value of a variable', 'DB_PASSWORD=hunter2 PORT=80', 'DB_PASSWORD=*** PORT=80'],
    [
      'the value of a variable with commas and brackets',
      'DB_PASSWORD=a,b;c&d)e] PORT=80',
      'DB_PASSWORD=*** PORT=80',
    ],
    ['a variable in a JSON list', '["DB_PASSWORD=a,b","PORT=80"]', '["DB_PASSWORD=***","PORT=80"]'],
    ['a registry login', '{"auths":{"a":{"auth":"dTpw"}}}', '{"auths":{"a":{"auth":"***"}}}'],
    ['a registry login in escaped JSON', '{\\"auth\\": \\"dTpw\\"}', '{\\"auth\\": \\"***\\"}'],
    ['a refresh token of GitHub', 'got ghr_0123456789abcdefghij', 'got ***'],
    ['a field in JSON', '{"password":"hun\\"ter2","port":80}', '{"password":"***","port":80}'],
    ['a number in JSON', '{"token": 12345, "port":80}', '{"token": ***, "port":80}'],
    ['a field in escaped JSON', '"{\\"apiKey\\":\\"hun ter2\\"}"', '"{\\"apiKey\\":\\"***\\"}"'],
    ['a field in YAML', "client-key-data: 'abc'\nname: x", "client-key-data: '***'\nname: x"],
    ['a token in a URL query', 'https://h/p?access_token=12345&x=1', 'https://h/p?access_token=***&x=1'],
    ['a token after the word secret', 'the secret token=12345', 'the secret token=***'],
    ['a token inside another field', 'key: access_token=12345 x', 'key: access_token=*** x'],
    ['the value of a flag in JSON', '{"key":"--password 12345"}', '{"key":"--password ***"}'],
    ['PEM data', 'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b', 'a *** b'],
    [
      'PEM data in lower case',
      'x -----begin rsa private key-----\nmiie\n-----end rsa private key----- y',
      'x *** y',
    ],
    [
      'PEM data in JSON',
      '{"ca":"-----BEGIN X-----\\nMIIE\\n-----END X-----\\n","b":1}',
      '{"ca":"***\\n","b":1}',
    ],
    ['truncated PEM data', 'a -----BEGIN PRIVATE KEY-----\nMIIE', 'a ***'],
    ['base64-encoded PEM data', 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt x', '*** x'],
    ['a JSON Web Token', 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln!', 'got ***!'],
    ['PEM data with headers', '-----BEGIN X-----\nDEK-Info: AES,AB\n\nMI+/=\n-----END X-----', '***'],
    ['two blocks of PEM data', '-----BEGIN X-----\nMI\n-----END X-----, -----BEGIN Y-----\nMI', '***, ***'],
    ['a JSON Web Token without a signature', '(eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0)', '(***)'],
    ['a URL user before a query', 'http://a:b@c?d=e@f', 'http://***@c?d=e@f'],
    ['a URL user before a fragment', 'http://a:b@c#d@e', 'http://***@c#d@e'],
    ['a URL user before an IPv6 address', 'http://a:b@[::1]:80/c', 'http://***@[::1]:80/c'],
    ['a proxy login before an @ inside JSONPath', 'x=a:b@proxy:80$.c[?(@.d)]', 'x=***@proxy:80$.c[?(@.d)]'],
    ['a proxy login whose password contains = and @', 'x=a:b=c@d@proxy:80', 'x=***@proxy:80'],
    ['a proxy login between two URLs', 'http://a/bX=c:d@e:80http://f', 'http://a/bX=***@e:80http://f'],
    ['a proxy login before a URL', 'X=c:d@e:80,http://f', 'X=***@e:80,http://f'],
    ['a proxy login before another address', 'x=a:b@proxy,y=z@host', 'x=***@host'],
    ['a proxy login before a final @', 'x=a:b@proxy:80@', 'x=***@proxy:80@'],
    ['a proxy login at an IPv6 address', 'proxy=a:b@[::1]:80', 'proxy=***@[::1]:80'],
    ['basic credentials in upper case', 'BASIC dXNlcjpodW50ZXIy', 'BASIC ***'],
    ['basic credentials in lower case', 'basic   dXNlcjpodW50ZXIy==.', 'basic   ***.'],
    ['a Proxy-Authorization header', 'Proxy-Authorization:Digest abc\nx', 'Proxy-Authorization:***\nx'],
    ['an Authorization header in YAML', "authorization: 'Digest a, b'", "authorization: '***'"],
    [
      'an Authorization header in JSON',
      '{"Authorization" : "Digest a", "b":"c"}',
      '{"Authorization" : "***", "b":"c"}',
    ],
    [
      'an Authorization header in escaped JSON',
      '{\\"authorization\\":\\"Digest a\\"}',
      '{\\"authorization\\":\\"***\\"}',
    ],
    ['an authorization variable', 'authorization=Digest abc', 'authorization=***'],
    ['a field with blanks around the equal sign', 'token = 12345', 'token = ***'],
    ['a field with tabs around the colon', 'token\t:\t12345', 'token\t:\t***'],
    ['the value of a flag after a tab', '--token\t12345', '--token\t***'],
    ['a value in single quotes', "{'token':'1 2,3'}", "{'token':'***'}"],
    ['a value in double quotes with escapes', '{"token":"1 \\\\\\" 2"}', '{"token":"***"}'],
    [
      'several values in a list',
      '[token:1,pwd:2;passwd:3&db.pass:4}',
      '[token:***,pwd:***;passwd:***&db.pass:***}',
    ],
    ['values before a closing bracket', '(token:1)[pgpass:2]', '(token:***)[pgpass:***]'],
    ['several values in a URL query', '/p?token=1&pwd=2;3&x=4', '/p?token=***&pwd=***&x=4'],
    ['the values of two flags', '--token 1 --password 2', '--token *** --password ***'],
    ['a name in upper case with dots', 'x.TOKEN=12345', 'x.TOKEN=***'],
    ['a name with a digit at the end', 'token2=12345', 'token2=***'],
    ['a list in JSON', '{"passwords":["a","b"],"port":80}', '{"passwords":***,"port":80}'],
    ['an object in JSON', '{"password":{"value":"a}"},"port":80}', '{"password":***,"port":80}'],
    ['a list in truncated escaped JSON', '{\\"token\\":[\\"a\\",{', '{\\"token\\":***'],
    ['a block in YAML', 'password: |\n  a\n  b\nport: 80', 'password: |\n  ***\nport: 80'],
    ['a list in YAML', 'tokens:\n  - a\n  - b\nport: 80', 'tokens:\n  ***\nport: 80'],
    ['PEM data with a text header', '-----BEGIN X-----\nVersion: 1 (a)\n\nMI\n-----END X-----', '***'],
    ['a Cookie header', 'Cookie: a=b; c=d\nHost: e', 'Cookie: ***\nHost: e'],
    ['a Set-Cookie header', "set-cookie: 'a=b; Path=/'", "set-cookie: '***'"],
    ['the signature of a signed URL', 'https://h/p?se=1&sig=a%3D&sp=r', 'https://h/p?se=1&sig=***&sp=r'],
    [
      'the signature of a signed AWS URL',
      'https://h/p?X-Amz-Signature=0a1b',
      'https://h/p?X-Amz-Signature=***',
    ],
    ['the API key in a URL', 'https://h/p?key=a1&x=1', 'https://h/p?key=***&x=1'],
    ['the key in a connection string', 'AccountName=a;AccountKey=b+c==', 'AccountName=a;AccountKey=***'],
  ])('%s', (_, given, shown) => {
    expect(redacted(given)).toBe(shown);
    expect(redacted(shown)).toBe(shown);
  });

  // each separately: other text must not trigger the search
  test.each([
    ['ghp_', 36],
    ['gho_', 36],
    ['ghs_', 36],
    ['ghu_', 36],
    ['github_pat_', 60],
    ['glpat-', 20],
    ['xoxb-', 20],
    ['hvs.', 24],
    ['hvb.', 24],
    ['ya29.', 30],
  ])('a token with the issuer prefix %s', (mark, length) => {
    expect(redacted(`got ${mark}${'a1'.repeat(length / 2)}, so`)).toBe('got ***, so');
  });

  test('an AWS access key', () => {
    expect(redacted('got AKIAIOSFODNN7EXAMPLE, so')).toBe('got ***, so');
    expect(redacted('got ASIAIOSFODNN7EXAMPLE, so')).toBe('got ***, so');
    expect(redacted('in asia-southeast1, asiapacificsoutheast')).toBe(
      'in asia-southeast1, asiapacificsoutheast',
    );
  });

  test('a Google API key', () => {
    expect(redacted(`got AIza${'a1-_b'.repeat(7)}, so`)).toBe('got ***, so');
  });

  test.each([
    ...['password', 'passwd', 'passphrase', 'pgpass', 'pass', 'db-pass', 'db_pass', 'db.pass', 'pwd'],
    ...['secret', 'token', 'credential', 'credentials', 'cookie', 'sessionid', 'session-id', 'session_id'],
    ...[
      ...['api', 'access', 'private', 'client', 'signing', 'encryption'],
      ...['account', 'auth', 'master', 'shared', 'ssh', 'hmac'],
    ].flatMap((of) => ['key', '-key', '_key', 'Key'].map((key) => `${of}${key}`)),
    ...['certificate-authority-data', 'tls-data'],
  ])('the value of a field named %s', (name) => {
    expect([name, isSecretName(name)]).toEqual([name, true]);
    expect(redacted(`"x": 1, "${name}": 12345`)).toBe(`"x": 1, "${name}": ***`);
  });
});

describe('redaction keeps text that resembles a secret', () => {
  test.each([
    ...['compass', 'bypass', 'passenger', 'pass-through', 'passes'],
    ...['metadata', 'tls-database', 'key', 'monkey', 'keys', 'session', 'apikeeper'],
  ])('the value of a field named %s', (name) => {
    expect([name, isSecretName(name)]).toEqual([name, false]);
    expect(redacted(`${name}=12345`)).toBe(`${name}=12345`);
  });

  test.each([
    ...['file', 'files', 'path', 'name', 'names', 'namespace', 'ref', 'refs', 'kind', 'type', 'types'],
    ...['count', 'seconds', 'ttl', 'expiry', 'expiration', 'ExpirationTimestamp'],
    ...['audience', 'audiences', 'version'],
  ])('a field about a secret whose name ends in %s', (about) => {
    expect(isSecretName(`token-${about}`)).toBe(false);
    expect(isSecretName(`${about}-token`)).toBe(true);
  });

  test.each([
    'a token of 12345, or the password 12345',
    'basic authentication failed',
    'Bearer realm="x"',
    'bearer token of a user, bearer tokens, bearer auth',
    'xeyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0',
    'a-ghp_123456789012345678901234567890123456',
    'a@b:c',
    '@',
    'a=b:c@',
    'image=registry:5000/cart:v2@sha512:0123',
    'http://host/a/b@c',
    'oci://registry:5000/cart:v2@sha512:0123',
    'https://10.0.0.1:6443/a?b=c@',
    'http://[::1]:80/a@b',
    'http://[fe80::1]/a@b',
  ])('next to the word secret: %s', (text) => {
    expect(redacted(`${text} secret`)).toBe(`${text} secret`);
  });
});

describe('redaction hides a secret without a name', () => {
  test.each([['a GitHub token', `ghp_${'a1'.repeat(18)} x`, '*** x']])('%s', (_, given, shown) => {
    expect(redacted(given)).toBe(shown);
    expect(redacted(shown)).toBe(shown);
  });
});

describe('redaction keeps a text without secrets', () => {
  test.each([
    'x/db-secret.yaml:5:3: error: a place in a file that is called after a secret',
    'Deployment shop/web-token: no container has a readinessProbe',
    'note: ClusterOverridePolicy hold-pw: targetCluster is deprecated',
    'user "ops" has a token and a password; leave one of them out',
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

test('redaction of data hides the values of fields with secret names', () => {
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

test('redaction hides the contents of Kubernetes objects at any depth', () => {
  const secret = { kind: 'Secret', type: 'Opaque', data: { user: 'Y2FuYXJ5' }, stringData: { a: 'canary' } };
  const pod = {
    labels: { 'api-token': 'v2' },
    containers: [
      {
        command: ['run', '--token', 'canary', '--v', '4'],
        args: ['--db-password=canary and canary', '-password', 'canary', '--proxy=http://a:canary@b'],
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

test('redaction hides values in OverridePolicies and in headers of probes', () => {
  const overriders = {
    plaintext: [
      { path: '/spec/template/spec/containers/0/env/0/value', operator: 'replace', value: 'canary' },
      {
        path: '/spec/template/spec/containers/0/env',
        operator: 'add',
        value: [{ name: 'A', value: 'canary' }],
      },
      { path: '/data/app.conf', operator: 'add', value: 'canary' },
      { path: '/spec/dbPassword', operator: 'add', value: 'canary' },
      { path: '/spec/replicas', operator: 'replace', value: 2 },
      { path: '/metadata/labels/environment', operator: 'replace', value: 'prod' },
    ],
    argsOverrider: [{ containerName: 'a', operator: 'add', value: ['--token', 'canary', '--v=4'] }],
    commandOverrider: [{ containerName: 'a', operator: 'add', value: ['--token=canary'] }],
    fieldOverrider: [{ fieldPath: '/data/x', yaml: [{ subPath: '/db', operator: 'add', value: 'canary' }] }],
  };
  const policy = { kind: 'OverridePolicy', spec: { overrideRules: [{ overriders }] } };
  const shown = redactedJson(policy);
  expect(shown).not.toContain('canary');
  expect(JSON.parse(shown)).toMatchObject({
    spec: {
      overrideRules: [
        {
          overriders: {
            plaintext: [{}, {}, {}, {}, { value: 2 }, { value: 'prod' }],
            argsOverrider: [{ value: ['--token', '***', '--v=4'] }],
          },
        },
      ],
    },
  });
  for (const one of [...overriders.plaintext.slice(0, 4), ...overriders.fieldOverrider])
    expect(redactedJson(one)).not.toContain('canary');
  const headers = {
    httpHeaders: [
      { name: 'Authorization', value: 'canary' },
      { name: 'Host', value: 'h' },
    ],
  };
  expect(redactedData(headers)).toEqual({
    httpHeaders: [
      { name: 'Authorization', value: '***' },
      { name: 'Host', value: 'h' },
    ],
  });
});

test('a field name marks a secret, unless it names the location of a secret', () => {
  for (const name of ['token', 'DB_PASSWORD', 'awsSecretAccessKey', 'client-key-data', 'api_key'])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of ['tokenFile', 'secretRef', 'name', 'secretName', 'key', 'tokenExpirationSeconds'])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

test('redaction keeps the error of a file that is named after a secret', () => {
  for (const fault of ['no such file or directory; check the path', 'is a directory; name a file in it'])
    expect(redacted(`client-key of user "a": /run/client-key: ${fault}`)).toBe(
      `client-key of user "a": /run/client-key: ${fault}`,
    );
  expect(redacted('client-key: island')).toBe('client-key: ***');
});

test('redaction hides an escaped quoted value to its end', () => {
  expect(redacted(String.raw`{\"token\":\"a\\b\\\\c\n\",\"x\":\"y\"}`)).toBe(
    String.raw`{\"token\":\"***\",\"x\":\"y\"}`,
  );
});

describe('redaction of objects', () => {
  const shown = (data: unknown) => redactedData(data);

  test('keeps labels and selectors, except URLs with passwords', () => {
    for (const field of ['labels', 'matchLabels', 'nodeSelector'])
      expect(shown({ [field]: { token: 'v2', 'db-password': 3, url: 'http://a:b@c' } })).toEqual({
        [field]: { token: 'v2', 'db-password': 3, url: 'http://***@c' },
      });
    expect(shown({ annotations: { token: 'v2' } })).toEqual({ annotations: { token: '***' } });
  });

  test('hides secrets in field names', () => {
    expect(shown({ 'http://a:b@c': 1 })).toEqual({ 'http://***@c': 1 });
  });

  test('hides the value next to a secret name, inside and outside env, and keeps empty values', () => {
    expect(shown({ headers: [{ name: 'api-token', value: 'x', other: 'x' }] })).toEqual({
      headers: [{ name: 'api-token', value: '***', other: 'x' }],
    });
    expect(shown({ headers: [{ name: 'accept', value: 'x' }] })).toEqual({
      headers: [{ name: 'accept', value: 'x' }],
    });
    expect(shown({ password: { value: 'x', other: 'x' }, tokens: [{ value: 'x' }] })).toEqual({
      password: { value: '***', other: 'x' },
      tokens: [{ value: '***' }],
    });
    expect(
      shown({
        env: [
          { name: 'A', value: '' },
          { name: 'B', value: 'x', y: 'z' },
        ],
      }),
    ).toEqual({
      env: [
        { name: 'A', value: '' },
        { name: 'B', value: '***', y: 'z' },
      ],
    });
  });

  test('hides the values of Secrets and ConfigMaps and keeps their field names', () => {
    for (const kind of ['Secret', 'ConfigMap'])
      for (const field of ['data', 'stringData', 'binaryData'])
        expect(shown({ kind, [field]: { a: 'x', b: { c: 'x' } }, immutable: 'yes' })).toEqual({
          kind,
          [field]: { a: '***', b: '***' },
          immutable: 'yes',
        });
    expect(shown({ kind: 'Secret', data: null, stringData: 'x' })).toEqual({
      kind: 'Secret',
      data: null,
      stringData: '***',
    });
    expect(shown({ kind: 'Service', data: { a: 'x' } })).toEqual({ kind: 'Service', data: { a: 'x' } });
    expect(shown({ kind: 3, data: { a: 'x' } })).toEqual({ kind: 3, data: { a: 'x' } });
  });

  test('hides the command-line argument after a secret flag', () => {
    const words = [
      '--token',
      'x',
      '-pass',
      'x',
      '--token',
      '-v',
      'a',
      4,
      'y',
      'my --token',
      'x',
      '--token=a',
      'z',
    ];
    const seen = [
      '--token',
      '***',
      '-pass',
      '***',
      '--token',
      '-v',
      'a',
      4,
      'y',
      'my --token',
      'x',
      '--token=***',
      'z',
    ];
    expect(shown({ args: words, command: words, others: ['--token', 'x'] })).toEqual({
      args: seen,
      command: seen,
      others: ['--token', 'x'],
    });
    expect(shown({ args: '--token x' })).toEqual({ args: '--token ***' });
  });

  test('hides the value of a secret flag whose name contains dots', () => {
    expect(shown({ args: ['--spring.datasource.password', 'hunter'] })).toEqual({
      args: ['--spring.datasource.password', '***'],
    });
    expect(shown({ args: ['--spring.datasource.password=hunter'] })).toEqual({
      args: ['--spring.datasource.password=***'],
    });
  });

  test('keeps values that are not text', () => {
    expect(shown([null, true, 3, { token: null, password: 3 }])).toEqual([
      null,
      true,
      3,
      { token: null, password: 3 },
    ]);
  });

  // each alone, because only suspicious texts are searched
  test.each([
    { env: [{ name: 'A', value: 'hidden' }] },
    { kind: 'ConfigMap', data: { a: 'hidden' } },
    { kind: 'ConfigMap', binaryData: { a: 'hidden' } },
    { args: ['-pass', 'hidden'] },
    { command: ['-pass', 'hidden'] },
    { 'kubectl.kubernetes.io/last-applied-configuration': 'hidden' },
    { a: 'http://u:hidden@h' },
    { 'tls-data': 'hidden' },
    { sessionId: 'hidden' },
    { apiKey: 'hidden' },
    { pass: 'hidden' },
  ])('hides the secret in the JSON of %j', (data) => {
    const text = redactedJson(data, 2);
    expect(text).not.toContain('hidden');
    expect(text).toBe(JSON.stringify(redactedData(data), null, 2));
  });

  test.each(['AKIA0123456789ABCDEF', 'akia0123456789abcdef', 'ASIA0123456789ABCDEF'])(
    'hides the AWS key %s in JSON',
    (key) => expect(redactedJson({ on: [`asia-south1 ${key}`] })).toBe('{"on":["asia-south1 ***"]}'),
  );

  test('equals JSON.stringify for objects without secrets, and returns null for undefined', () => {
    expect(redactedJson(undefined)).toBe('null');
    expect(redactedJson({ a: [1] }, 1)).toBe('{\n "a": [\n  1\n ]\n}');
  });
});

describe('a redactor', () => {
  test('hides a learned secret in any text', () => {
    const { learn, redact } = createRedactor();
    learn('1234');
    learn('a b.c');
    learn(undefined);
    expect(redact('x1234y1234, a b.c, a bxc')).toBe('x***y***, ***, a bxc');
    expect(redact('token=5')).toBe('token=***');
  });

  test('does not learn a secret of three characters', () => {
    const { learn, redact } = createRedactor();
    learn('123');
    expect(redact('a 123')).toBe('a 123');
  });
});

test('redaction hides values in the applied-overrides annotations of a Work', () => {
  const overriders = {
    plaintext: [
      { path: '/data/greeting', operator: 'replace', value: 'canary' },
      { path: '/spec/replicas', operator: 'replace', value: 7 },
      { path: '/spec/template/spec/containers/0/env/0/value', operator: 'add', value: 'canary' },
    ],
    argsOverrider: [{ containerName: 'web', operator: 'add', value: ['--password', 'canary'] }],
    fieldOverrider: [{ fieldPath: '/data/a', yaml: [{ subPath: '/b', operator: 'add', value: 'canary' }] }],
  };
  const applied = JSON.stringify([{ policyName: 'secrets', overriders }]);
  for (const scope of ['', 'cluster-']) {
    const name = `policy.karmada.io/applied-${scope}overrides`;
    const work = { kind: 'Work', metadata: { annotations: { [name]: applied } } };
    const shown = JSON.parse(redactedJson(work)) as typeof work;
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(JSON.parse(shown.metadata.annotations[name]!)).toEqual(
      redactedData([{ policyName: 'secrets', overriders }]),
    );
    expect(shown.metadata.annotations[name]).toContain('"value":7');
    expect(redactedData({ annotations: { [name]: '[{"value": canary' } })).toEqual({
      annotations: { [name]: '***' },
    });
  }
});

test('redaction hides all headers for the proxy of a Cluster', () => {
  const cluster = { kind: 'Cluster', spec: { syncMode: 'Push', proxyHeader: { 'X-Any': 'canary' } } };
  expect(JSON.parse(redactedJson(cluster))).toEqual({
    kind: 'Cluster',
    spec: { syncMode: 'Push', proxyHeader: { 'X-Any': '***' } },
  });
});
