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

test('secret arguments and environment values of an exec plugin are redacted everywhere', () => {
  const { redact } = redactorOf(endpoint, undefined);
  expect(redact('fifteen, sixteen and seventeen are wrong for staging; see --v')).toBe(
    '***, *** and *** are wrong for ***; see --v',
  );
});
