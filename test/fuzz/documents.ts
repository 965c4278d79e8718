import { CANARY } from './canaries.ts';
import type { Manifest } from './world.ts';

/** A connection's secret; any repetition must be redacted. */
export const TOKEN = `${CANARY}-token`;

/** A kubeconfig with secrets of every kind. */
export const kubeconfig: Manifest = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'karmada',
  clusters: [
    {
      name: 'karmada',
      cluster: { server: 'https://127.0.0.1:5443', 'proxy-url': `http://u:${CANARY}@127.0.0.1:9` },
    },
  ],
  users: [
    { name: 'token', user: { token: TOKEN } },
    { name: 'password', user: { username: 'u', password: CANARY } },
    {
      name: 'exec',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'x',
          interactiveMode: 'Never',
          env: [{ name: 'A_TOKEN', value: CANARY }],
        },
      },
    },
  ],
  contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'token', namespace: 'x' } }],
};

/** Rules as an organisation writes them. */
export const rules: Manifest = {
  rules: [
    {
      id: 'names-its-team',
      mustMatch: '$.metadata.labels.team',
      message: 'every policy names its team in the label team',
      kinds: ['ClusterTaintPolicy'],
      title: 'Teams',
    },
    {
      id: 'keys-of-ours',
      mustNotMatch: "$.spec.taints[?(!@.key.startsWith('example.com/'))].key",
      message: 'keys of taints begin with example.com/',
      severity: 'warning',
      help: "Other keys are Karmada's own.",
    },
  ],
};
