import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { RequestOptions } from '../../../src/state/live/apiServer.ts';
import { servedResources } from '../../../src/state/live/discovery.ts';

function serving(answers: Record<string, unknown>) {
  const asked: string[] = [];
  return {
    asked,
    get<T>(path: string, _: RequestOptions = {}): Promise<T> {
      asked.push(path);
      const answer = answers[path];
      return answer instanceof Error || answer === undefined
        ? Promise.reject(answer ?? new ApiError('no', { status: 404, reason: 'NotFound' }))
        : Promise.resolve(answer as T);
    },
  };
}

const pods = { kind: 'Pod', group: '', version: 'v1', resource: 'pods', namespaced: true };
const clusters = {
  kind: 'Cluster',
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  resource: 'clusters',
  namespaced: false,
};

const aggregated = (
  group: string,
  version: string,
  resource: string,
  kind: string | undefined,
  scope: string,
) => ({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: group === '' ? {} : { name: group },
      versions: [
        {
          version,
          resources: [
            {
              resource,
              responseKind: kind ? { group: '', version: '', kind } : null,
              scope,
              subresources: [{}],
            },
          ],
        },
      ],
    },
  ],
});

describe('what a server serves', () => {
  test('is told in two answers', async () => {
    const server = serving({
      '/api': aggregated('', 'v1', 'pods', 'Pod', 'Namespaced'),
      '/apis': aggregated('cluster.karmada.io', 'v1alpha1', 'clusters', 'Cluster', 'Cluster'),
    });
    expect(await servedResources(server)).toEqual([pods, clusters]);
    expect(await servedResources(server)).toEqual([pods, clusters]);
    expect(server.asked).toEqual(['/api', '/apis']);
  });

  test('is asked by group of older servers; subresources and groups without a server are left out', async () => {
    const server = serving({
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          { name: 'cluster.karmada.io', versions: [{ groupVersion: 'cluster.karmada.io/v1alpha1' }] },
          { name: 'gone', versions: [{ groupVersion: 'gone/v1' }] },
        ],
      },
      '/api/v1': {
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true },
          { name: 'pods/log', kind: 'Pod', namespaced: true },
        ],
      },
      '/apis/cluster.karmada.io/v1alpha1': {
        resources: [{ name: 'clusters', kind: 'Cluster', namespaced: false }],
      },
      '/apis/gone/v1': new ApiError('no', { status: 503, reason: 'ServiceUnavailable' }),
    });
    expect(await servedResources(server)).toEqual([pods, clusters]);
  });

  test('leaves out resources whose kind is not told', async () => {
    const empty = { kind: 'APIGroupDiscoveryList' };
    const server = serving({ '/api': aggregated('', 'v1', 'x', undefined, 'Cluster'), '/apis': empty });
    expect(await servedResources(server)).toEqual([]);
  });

  test('is asked again after a failure', async () => {
    const answers: Record<string, unknown> = {
      '/api': new ApiError('cut', { status: 0, reason: 'ECONNRESET' }),
      '/apis': { kind: 'APIGroupDiscoveryList' },
    };
    const server = serving(answers);
    await expect(servedResources(server)).rejects.toMatchObject({ reason: 'ECONNRESET' });
    answers['/api'] = { kind: 'APIGroupDiscoveryList' };
    expect(await servedResources(server)).toEqual([]);
  });
});
