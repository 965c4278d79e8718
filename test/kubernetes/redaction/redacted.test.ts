import { describe, expect, test } from '@jest/globals';
import { isSecretName, redacted } from '../../../src/kubernetes/redaction/redacted.ts';
import {
  createRedactor,
  redactedData,
  redactedJson,
} from '../../../src/kubernetes/redaction/redactedData.ts';

describe('what must not be shown', () => {
  test.each([
    ['a token of no object', 'Invalid token: hunter2', 'Invalid token: ***'],
    ['a token behind a kind', 'no Service token: hunter2', 'no Service token: ***'],
    [
      'a token after the word of a kind',
      'of Cluster bootstrap-token: hunter2',
      'of Cluster bootstrap-token: ***',
    ],
    ['a field below a kind', 'kind: Deployment\n  token: hunter2', 'kind: Deployment\n  token: ***'],
    ['the password of a URL', 'http://user:hunter2@proxy:3128/x', 'http://***@proxy:3128/x'],
    ['a password with an @', 'http://user:p@ss@w0rd@proxy:3128', 'http://***@proxy:3128'],
    ['a password with a slash and an @', 'socks5://user:p/a@b@proxy:1080', 'socks5://***@proxy:1080'],
    ['a password that begins like a port', 'http://user:8080/pass@proxy:3128', 'http://***@proxy:3128'],
    ['one that is digits and a slash', 'http://user:80/@proxy', 'http://***@proxy'],
    ['one with an @ behind the slash', 'http://user:80/p@ss@proxy', 'http://***@proxy'],
    ['one that begins with a slash', 'http://user:/pass@proxy', 'http://***@proxy'],
    ['one with a ?, and one with a #', 'http://u:1?p@a http://u:1#p@a', 'http://***@a http://***@a'],
    ['one before an image with its digest', 'oci://u:80/p@h/cart@sha256:01', 'oci://***@h/cart@sha256:01'],
    ['the first of two', 'http://u:80/p@h,http://i/', 'http://***@h,http://i/'],
    ['a token as the user of a URL', 'https://12345678@github.com/a/b', 'https://***@github.com/a/b'],
    ['the users of two URLs', 'http://a:b@c/d and "https://e:f@g"', 'http://***@c/d and "https://***@g"'],
    ['a proxy without a scheme', 'HTTPS_PROXY=user:hunter2@proxy:3128', 'HTTPS_PROXY=***@proxy:3128'],
    ['one behind a URL', 'http://a/b,HTTPS_PROXY=user:hunter2@proxy', 'http://a/b,HTTPS_PROXY=***@proxy'],
    ['an Authorization header', 'Authorization: Bearer 12345', 'Authorization: ***'],
    ['a bearer token of digits', 'invalid bearer 12345678, go away', 'invalid bearer ***, go away'],
    ['basic credentials', 'sent Basic dXNlcjpodW50ZXIy', 'sent Basic ***'],
    ['the user of curl', 'curl -sS -u bob:hunter2 https://h/x', 'curl -sS -u bob:*** https://h/x'],
    ['the same in one word with others', "curl -su 'bob:hunter2' h", "curl -su 'bob:***' h"],
    ['the same with a long flag', 'curl https://h --user=bob:hunter2', 'curl https://h --user=bob:***'],
    ['a password in two letters', 'pw=hunter2 DB_PW=hunter2', 'pw=*** DB_PW=***'],
    ['a flag', '--token=12345 --v=4', '--token=*** --v=4'],
    ['a flag and its value apart', '--password hunter2 --v 4', '--password *** --v 4'],
    ['a variable', 'DB_PASSWORD=hunter2 PORT=80', 'DB_PASSWORD=*** PORT=80'],
    ['a variable with commas and brackets', 'DB_PASSWORD=a,b;c&d)e] PORT=80', 'DB_PASSWORD=*** PORT=80'],
    ['two variables in JSON', '["DB_PASSWORD=a,b","PORT=80"]', '["DB_PASSWORD=***","PORT=80"]'],
    ['the login of a registry', '{"auths":{"a":{"auth":"dTpw"}}}', '{"auths":{"a":{"auth":"***"}}}'],
    ['one in JSON in JSON', '{\\"auth\\": \\"dTpw\\"}', '{\\"auth\\": \\"***\\"}'],
    ['a token for renewals', 'got ghr_0123456789abcdefghij', 'got ***'],
    ['a field of JSON', '{"password":"hun\\"ter2","port":80}', '{"password":"***","port":80}'],
    ['a number in JSON', '{"token": 12345, "port":80}', '{"token": ***, "port":80}'],
    ['JSON in JSON', '"{\\"apiKey\\":\\"hun ter2\\"}"', '"{\\"apiKey\\":\\"***\\"}"'],
    ['a field of YAML', "client-key-data: 'abc'\nname: x", "client-key-data: '***'\nname: x"],
    ['a query', 'https://h/p?access_token=12345&x=1', 'https://h/p?access_token=***&x=1'],
    ['a value behind the word for it', 'the secret token=12345', 'the secret token=***'],
    ['a value within another', 'key: access_token=12345 x', 'key: access_token=*** x'],
    ['one in JSON', '{"key":"--password 12345"}', '{"key":"--password ***"}'],
    ['PEM', 'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b', 'a *** b'],
    [
      'PEM in lower case',
      'x -----begin rsa private key-----\nmiie\n-----end rsa private key----- y',
      'x *** y',
    ],
    ['PEM in JSON', '{"ca":"-----BEGIN X-----\\nMIIE\\n-----END X-----\\n","b":1}', '{"ca":"***\\n","b":1}'],
    ['PEM that is cut off', 'a -----BEGIN PRIVATE KEY-----\nMIIE', 'a ***'],
    ['PEM in base64', 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt x', '*** x'],
    ['a JSON Web Token', 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln!', 'got ***!'],
    ['PEM with headers', '-----BEGIN X-----\nDEK-Info: AES,AB\n\nMI+/=\n-----END X-----', '***'],
    ['two texts of PEM', '-----BEGIN X-----\nMI\n-----END X-----, -----BEGIN Y-----\nMI', '***, ***'],
    ['a JSON Web Token without a signature', '(eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0)', '(***)'],
    ['a user of a URL before a query', 'http://a:b@c?d=e@f', 'http://***@c?d=e@f'],
    ['a user of a URL before a fragment', 'http://a:b@c#d@e', 'http://***@c#d@e'],
    ['a user before an IPv6 address', 'http://a:b@[::1]:80/c', 'http://***@[::1]:80/c'],
    ['a proxy before an @ that is none of a host', 'x=a:b@proxy:80$.c[?(@.d)]', 'x=***@proxy:80$.c[?(@.d)]'],
    ['a proxy whose password has an = and an @', 'x=a:b=c@d@proxy:80', 'x=***@proxy:80'],
    ['a proxy between two URLs', 'http://a/bX=c:d@e:80http://f', 'http://a/bX=***@e:80http://f'],
    ['a proxy before a URL', 'X=c:d@e:80,http://f', 'X=***@e:80,http://f'],
    ['a proxy before another address', 'x=a:b@proxy,y=z@host', 'x=***@host'],
    ['a proxy with a path before an @', 'x=a:b@proxy:80@', 'x=***@proxy:80@'],
    ['a proxy at an IPv6 address', 'proxy=a:b@[::1]:80', 'proxy=***@[::1]:80'],
    ['credentials in capitals', 'BASIC dXNlcjpodW50ZXIy', 'BASIC ***'],
    ['credentials in small letters', 'basic   dXNlcjpodW50ZXIy==.', 'basic   ***.'],
    ['a header of a proxy', 'Proxy-Authorization:Digest abc\nx', 'Proxy-Authorization:***\nx'],
    ['a header in YAML', "authorization: 'Digest a, b'", "authorization: '***'"],
    ['a header in JSON', '{"Authorization" : "Digest a", "b":"c"}', '{"Authorization" : "***", "b":"c"}'],
    ['a header in JSON in JSON', '{\\"authorization\\":\\"Digest a\\"}', '{\\"authorization\\":\\"***\\"}'],
    ['a header of shells', 'authorization=Digest abc', 'authorization=***'],
    ['a field with blanks', 'token = 12345', 'token = ***'],
    ['a field with tabs', 'token\t:\t12345', 'token\t:\t***'],
    ['a flag and its value behind a tab', '--token\t12345', '--token\t***'],
    ['a value in single quotes', "{'token':'1 2,3'}", "{'token':'***'}"],
    ['a value in double quotes with all in it', '{"token":"1 \\\\\\" 2"}', '{"token":"***"}'],
    ['values in a list', '[token:1,pwd:2;passwd:3&db.pass:4}', '[token:***,pwd:***;passwd:***&db.pass:***}'],
    ['values that brackets end', '(token:1)[pgpass:2]', '(token:***)[pgpass:***]'],
    ['values in a query', '/p?token=1&pwd=2;3&x=4', '/p?token=***&pwd=***&x=4'],
    ['the values of two flags', '--token 1 --password 2', '--token *** --password ***'],
    ['a name in capitals with dots', 'x.TOKEN=12345', 'x.TOKEN=***'],
    ['a name with a digit behind', 'token2=12345', 'token2=***'],
    ['a list in JSON', '{"passwords":["a","b"],"port":80}', '{"passwords":***,"port":80}'],
    ['an object in JSON', '{"password":{"value":"a}"},"port":80}', '{"password":***,"port":80}'],
    ['one in JSON in JSON, cut off', '{\\"token\\":[\\"a\\",{', '{\\"token\\":***'],
    ['a block of YAML', 'password: |\n  a\n  b\nport: 80', 'password: |\n  ***\nport: 80'],
    ['a list of YAML', 'tokens:\n  - a\n  - b\nport: 80', 'tokens:\n  ***\nport: 80'],
    ['PEM with a remark', '-----BEGIN X-----\nVersion: 1 (a)\n\nMI\n-----END X-----', '***'],
    ['cookies', 'Cookie: a=b; c=d\nHost: e', 'Cookie: ***\nHost: e'],
    ['a cookie that is set', "set-cookie: 'a=b; Path=/'", "set-cookie: '***'"],
    ['a signed URL', 'https://h/p?se=1&sig=a%3D&sp=r', 'https://h/p?se=1&sig=***&sp=r'],
    ['one of AWS', 'https://h/p?X-Amz-Signature=0a1b', 'https://h/p?X-Amz-Signature=***'],
    ['a URL that is paid for', 'https://h/p?key=a1&x=1', 'https://h/p?key=***&x=1'],
    ['a connection', 'AccountName=a;AccountKey=b+c==', 'AccountName=a;AccountKey=***'],
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
  ])('a token that its issuer marks with %s', (mark, length) => {
    expect(redacted(`got ${mark}${'a1'.repeat(length / 2)}, so`)).toBe('got ***, so');
  });

  test('an access key of AWS', () => {
    expect(redacted('got AKIAIOSFODNN7EXAMPLE, so')).toBe('got ***, so');
    expect(redacted('got ASIAIOSFODNN7EXAMPLE, so')).toBe('got ***, so');
    expect(redacted('in asia-southeast1, asiapacificsoutheast')).toBe(
      'in asia-southeast1, asiapacificsoutheast',
    );
  });

  test('an API key of Google', () => {
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
  ])('the value of %s', (name) => {
    expect([name, isSecretName(name)]).toEqual([name, true]);
    expect(redacted(`"x": 1, "${name}": 12345`)).toBe(`"x": 1, "${name}": ***`);
  });
});

describe('what only looks like it', () => {
  test.each([
    ...['compass', 'bypass', 'passenger', 'pass-through', 'passes'],
    ...['metadata', 'tls-database', 'key', 'monkey', 'keys', 'session', 'apikeeper'],
  ])('the value of %s stays', (name) => {
    expect([name, isSecretName(name)]).toEqual([name, false]);
    expect(redacted(`${name}=12345`)).toBe(`${name}=12345`);
  });

  test.each([
    ...['file', 'files', 'path', 'name', 'names', 'namespace', 'ref', 'refs', 'kind', 'type', 'types'],
    ...['count', 'seconds', 'ttl', 'expiry', 'expiration', 'ExpirationTimestamp'],
    ...['audience', 'audiences', 'version'],
  ])('a field about a secret stays: %s', (about) => {
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
  ])('%s', (text) => {
    expect(redacted(`${text} secret`)).toBe(`${text} secret`);
  });
});

describe('a secret that appears nowhere else in the text', () => {
  test.each([['a token of GitHub', `ghp_${'a1'.repeat(18)} x`, '*** x']])('%s', (_, given, shown) => {
    expect(redacted(given)).toBe(shown);
    expect(redacted(shown)).toBe(shown);
  });
});

describe('values that are not changed', () => {
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

test('what OverridePolicies put into variables, arguments and data is hidden, and so are headers of probes', () => {
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

test('a name marks a secret, or where it is', () => {
  for (const name of ['token', 'DB_PASSWORD', 'awsSecretAccessKey', 'client-key-data', 'api_key'])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of ['tokenFile', 'secretRef', 'name', 'secretName', 'key', 'tokenExpirationSeconds'])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

test('the fault of a file that is called after a secret is shown', () => {
  for (const fault of ['no such file or directory; check the path', 'is a directory; name a file in it'])
    expect(redacted(`client-key of user "a": /run/client-key: ${fault}`)).toBe(
      `client-key of user "a": /run/client-key: ${fault}`,
    );
  expect(redacted('client-key: island')).toBe('client-key: ***');
});

test('what stands in an escaped quote is hidden to its end, whatever it escapes itself', () => {
  expect(redacted(String.raw`{\"token\":\"a\\b\\\\c\n\",\"x\":\"y\"}`)).toBe(
    String.raw`{\"token\":\"***\",\"x\":\"y\"}`,
  );
});

describe('of objects', () => {
  const shown = (data: unknown) => redactedData(data);

  test('labels and selectors stay but for what looks like a secret', () => {
    for (const field of ['labels', 'matchLabels', 'nodeSelector'])
      expect(shown({ [field]: { token: 'v2', 'db-password': 3, url: 'http://a:b@c' } })).toEqual({
        [field]: { token: 'v2', 'db-password': 3, url: 'http://***@c' },
      });
    expect(shown({ annotations: { token: 'v2' } })).toEqual({ annotations: { token: '***' } });
  });

  test('names of fields are looked through as their values are', () => {
    expect(shown({ 'http://a:b@c': 1 })).toEqual({ 'http://***@c': 1 });
  });

  test('the value beside the name of a secret is hidden, also outside env; an empty one is none', () => {
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

  test('the data of Secrets and ConfigMaps keeps its fields and nothing of what they hold', () => {
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

  test('a word of a command line is hidden behind the flag of a secret, and only there', () => {
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

  test('the flag of a secret may have dots in its name', () => {
    expect(shown({ args: ['--spring.datasource.password', 'hunter'] })).toEqual({
      args: ['--spring.datasource.password', '***'],
    });
    expect(shown({ args: ['--spring.datasource.password=hunter'] })).toEqual({
      args: ['--spring.datasource.password=***'],
    });
  });

  test('a value that is no text is not changed', () => {
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
  ])('JSON of %j hides it', (data) => {
    const text = redactedJson(data, 2);
    expect(text).not.toContain('hidden');
    expect(text).toBe(JSON.stringify(redactedData(data), null, 2));
  });

  test.each(['AKIA0123456789ABCDEF', 'akia0123456789abcdef', 'ASIA0123456789ABCDEF'])(
    'JSON with the key %s alone hides it',
    (key) => expect(redactedJson({ on: [`asia-south1 ${key}`] })).toBe('{"on":["asia-south1 ***"]}'),
  );

  test('JSON of nothing is null, of what is plain what JSON.stringify gives', () => {
    expect(redactedJson(undefined)).toBe('null');
    expect(redactedJson({ a: [1] }, 1)).toBe('{\n "a": [\n  1\n ]\n}');
  });
});

describe('a redactor', () => {
  test('hides what it has learned, whatever its form and position', () => {
    const { learn, redact } = createRedactor();
    learn('1234');
    learn('a b.c');
    learn(undefined);
    expect(redact('x1234y1234, a b.c, a bxc')).toBe('x***y***, ***, a bxc');
    expect(redact('token=5')).toBe('token=***');
  });

  test('does not learn what is too short to be distinguished from anything else', () => {
    const { learn, redact } = createRedactor();
    learn('123');
    expect(redact('a 123')).toBe('a 123');
  });
});

test('the overrides that Karmada says it applied are redacted as their OverridePolicy is', () => {
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

test('headers for the proxy of a Cluster are hidden under whatever name', () => {
  const cluster = { kind: 'Cluster', spec: { syncMode: 'Push', proxyHeader: { 'X-Any': 'canary' } } };
  expect(JSON.parse(redactedJson(cluster))).toEqual({
    kind: 'Cluster',
    spec: { syncMode: 'Push', proxyHeader: { 'X-Any': '***' } },
  });
});
