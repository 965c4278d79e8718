import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { applyMergePatch } from '../../src/kubernetes/mergePatch.ts';
import { writeReturn } from '../../src/operations/writeBinding.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { deployment } from '../simulator/simulation/controlPlane.ts';

const web = deployment('web', { placement: {}, replicas: 2, clusters: [{ name: 'west-1', replicas: 2 }] });
const before: ResourceBinding = { ...web, metadata: { ...web.metadata, uid: 'u', resourceVersion: '5' } };
const spec = { ...before.spec, clusters: [{ name: 'east-1', replicas: 2 }] };
const later = (resourceVersion: string): ResourceBinding => ({
  ...before,
  metadata: { ...before.metadata, resourceVersion },
});

/** Writes the reversal to a server with these responses; returns its requests. */
async function back(answers: (ResourceBinding | ApiError)[], dryRun = false) {
  const sent: string[] = [];
  const next = async () => {
    const answer = answers.shift();
    if (answer === undefined || answer instanceof ApiError) throw answer ?? new Error('nobody expected more');
    return answer;
  };
  const server = {
    get: next,
    async patch(
      _path: string,
      { metadata, ...content }: KubernetesObject & { status?: object },
      options: { subresource?: string },
    ) {
      sent.push(`${options.subresource ?? 'spec'} on ${metadata.resourceVersion}`);
      return applyMergePatch(await next(), content);
    },
  } as unknown as ApiServer;
  const options = { dryRun, pause: async () => undefined };
  const outcome = await writeReturn(server, before, { spec, affinityName: 'near' }, options);
  return { outcome, sent };
}
const error = (status: number, message = 'no') => new ApiError(message, { status, reason: '' });

describe('the return to a previous affinity group', () => {
  test('writes the status first, then the spec with the new version as a precondition', async () => {
    const { outcome, sent } = await back([later('6'), later('7')]);
    expect(outcome).toMatchObject({ result: 'written', object: { metadata: { resourceVersion: '7' } } });
    expect(sent).toEqual(['status on 5', 'spec on 6']);
  });

  test('conflicts with a write of another client, and does not write the spec', async () => {
    const { outcome, sent } = await back([error(409), later('6')]);
    expect(outcome).toEqual({ result: 'conflict', object: later('6') });
    expect(sent).toEqual(['status on 5']);
  });

  test('without permission for the status is refused, and does not write the spec', async () => {
    const message = 'resourcebindings/status is forbidden: User "jane" cannot patch resource';
    const { outcome, sent } = await back([error(403, message)]);
    expect(outcome).toMatchObject({ result: 'refused', message: expect.stringContaining(message) });
    expect(sent).toEqual(['status on 5']);
  });

  test('as a dry run writes status and spec with the stored version as a precondition', async () => {
    const { sent } = await back([later('6'), later('6')], true);
    expect(sent).toEqual(['status on 5', 'spec on 5']);
  });
});
