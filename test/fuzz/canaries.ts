import type { Manifest } from './world.ts';

/** Part of every planted secret; no output may contain it. */
export const CANARY = 'c4n4ry';

const encoded = Buffer.from(`${CANARY}-encoded-and-long-enough`).toString('base64');
/** The part of a secret's base64 that does not depend on its offset. */
export const CANARIES = [CANARY, encoded.slice(0, 12)];

const inUrl = `https://user:${CANARY}@ss/w0rd@proxy.example:3128/x`;
const message = `Get "${inUrl}": proxyconnect tcp: Authorization: Bearer ${CANARY}, DB_PASSWORD=${CANARY}`;
const lastApplied = {
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ data: { plain: CANARY } }),
};
const secret: Manifest = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'checkout', namespace: 'shop' },
  data: { any: encoded },
  stringData: { any: CANARY },
};
const configMap: Manifest = { ...secret, kind: 'ConfigMap', data: { 'app.conf': CANARY } };
delete configMap['stringData'];
const container: Manifest = {
  name: 'main',
  image: 'x',
  args: ['--token', CANARY, `--db-password=${CANARY}`, `--proxy=${inUrl}`],
  env: [
    { name: 'ANY', value: CANARY },
    { name: 'PEM', value: `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----` },
  ],
};

type Fields = Record<string, unknown>;

/** The same objects with secrets wherever people and programs leave them. */
export function withCanaries(items: readonly Manifest[]): Manifest[] {
  return [...items.map(planted), secret, configMap];
}

function planted(object: Manifest): Manifest {
  const copy = structuredClone(object) as Fields;
  const metadata = copy['metadata'] as Fields;
  metadata['annotations'] = { ...(metadata['annotations'] as Fields), ...lastApplied };
  metadata['managedFields'] = [{ manager: CANARY, operation: 'Apply' }];
  const spec = (copy['spec'] ?? {}) as Fields;
  const status = copy['status'] as Fields | undefined;
  switch (object['kind']) {
    case 'Cluster':
      spec['proxyURL'] = inUrl;
      spec['proxyHeader'] = { 'Proxy-Authorization': `Basic ${CANARY}` };
      break;
    case 'Deployment':
    case 'StatefulSet': {
      const pod = (spec['template'] as Fields)['spec'] as { containers: Fields[] };
      for (const one of pod.containers) {
        one['env'] = container['env'];
        one['args'] = container['args'];
      }
      break;
    }
    case 'Work': {
      const workload = spec['workload'] as { manifests: Fields[] };
      workload.manifests.push(secret, configMap);
      break;
    }
  }
  for (const condition of (status?.['conditions'] as Fields[] | undefined) ?? [])
    condition['message'] = message;
  for (const task of (spec['gracefulEvictionTasks'] as Fields[] | undefined) ?? []) task['message'] = message;
  for (const one of (status?.['aggregatedStatus'] as Fields[] | undefined) ?? [])
    one['appliedMessage'] = message;
  return copy as Manifest;
}

/** Text with secrets in it, as programs write them into messages. */
export const secretTexts: readonly string[] = [
  message,
  inUrl,
  `http://user:8080/${CANARY}@proxy.example:3128`,
  `HTTPS_PROXY=user:${CANARY}@proxy:3128`,
  `{"auths":{"r":{"password":"${CANARY}"}},"token":"${CANARY}"}`,
  `"{\\"client-key-data\\":\\"${CANARY}\\"}"`,
  `kubectl --token=${CANARY} --password ${CANARY} get pods`,
  `x -----BEGIN RSA PRIVATE KEY-----\n${CANARY}\n-----END RSA PRIVATE KEY----- y`,
  `invalid bearer ${CANARY}`,
  `https://h/p?access_token=${CANARY}&x=1`,
  `Proxy-Authorization: Basic ${encoded}`,
];
