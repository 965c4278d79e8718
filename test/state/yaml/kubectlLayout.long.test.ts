import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseKubectlLayout } from '../../../src/state/yaml/kubectlLayout.ts';
import { expectSamePlaces, slowly } from './wholeParser.ts';

/** Comments and one-line collections, as people write them. */
const WRITTEN = `# a policy
apiVersion: policy.karmada.io/v1alpha1 # of Karmada
metadata: {name: web, labels: {app: web, tier: a1}} # flow
spec: # below
  resourceSelectors:
    - {apiVersion: apps/v1, kind: Deployment}
    - # in the next line
      kind: "Service" # quoted
  placement:
    clusterAffinity:
      clusterNames: [frankfurt, dublin,virginia-2 , 0777]
    spreadConstraints: []
  priority: 5 # a number
  empty: {}
`;

describe('the fast parser for kubectl YAML, given text with one changed character', () => {
  test.each([
    [
      'the output of kubectl',
      readFileSync(new URL('../fixtures/list.yaml', import.meta.url), 'utf8').split('- apiVersion: v1')[0]!,
    ],
    ['hand-written YAML', WRITTEN],
  ])('agrees with the full parser or returns no result, for %s', (_, whole) => {
    expect(parseKubectlLayout(whole)).toEqual(slowly(whole));
    expectSamePlaces(whole, slowly(whole));
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.constantFrom(...Array.from(' \n:-#\'"{}[]|>&*!%@?,x0\\')),
        (at, char) => {
          const changed = whole.slice(0, at) + char + whole.slice(at + 1);
          const fast = parseKubectlLayout(changed);
          if (fast === undefined) return;
          expect(fast).toEqual(slowly(changed));
          expectSamePlaces(changed, fast);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
