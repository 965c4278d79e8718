import { expect, test } from '@jest/globals';
import { redactorOf } from '../../../../src/state/live/connection/secrets.ts';
import type { Endpoint } from '../../../../src/state/live/connection/resolvedEndpoint.ts';

const exec = {
  args: [
    'login',
    '--client-secret=fifteen',
    '--password',
    'sixteen',
    '--profile',
    'staging',
    '--token',
    '--v',
  ],
  env: [
    { name: 'CLOUD_TOKEN', value: 'seventeen' },
    { name: 'CLOUD_PROFILE', value: 'staging' },
  ],
};
const endpoint = { server: new URL('https://api'), cluster: {}, user: { exec } } as unknown as Endpoint;

test('what a kubeconfig gives a plugin behind the flag of a secret, or in its environment, is hidden wherever it is repeated', () => {
  const { redact } = redactorOf(endpoint, undefined);
  expect(redact('fifteen, sixteen and seventeen are wrong for staging; see --v')).toBe(
    '***, *** and *** are wrong for ***; see --v',
  );
});
