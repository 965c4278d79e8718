import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import {
  preservedLabelState,
  preservedLabelStateOnCluster,
} from '../../../src/karmada/eviction/statePreservation.ts';
import { unmarshal, wellFormed } from '../../../src/kubernetes/goJson.ts';
import { v1_18 } from '../../dialects.ts';

const rule = (aliasLabelName: string, jsonPath: string) => ({ aliasLabelName, jsonPath });

describe('the labels that an eviction from a cluster preserves', () => {
  const statePreservation = { rules: [rule('replicas', '{.replicas}')] };

  test('come from the status item of that cluster', () => {
    const aggregatedStatus = [
      { clusterName: 'm1', status: { replicas: 1 } },
      { clusterName: 'm2', status: { replicas: 2 } },
    ];
    expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
      labels: { replicas: '2' },
    });
  });

  test.each([undefined, [], [{ clusterName: 'm2' }], [{ clusterName: 'm2', status: null }]])(
    'cannot be read without a collected status: %j',
    (aggregatedStatus) => {
      expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
        error: 'the application status has not yet been collected from Cluster(m2)',
      });
    },
  );

  test.each([undefined, {}, { rules: [] }])('are absent without rules: %j', (without) => {
    expect(preservedLabelStateOnCluster(without, undefined, 'm2', v1_18.rules)).toBeUndefined();
  });
});

type Rule = ReturnType<typeof rule>;

describe('state preservation', () => {
  const of = (rules: Rule[], status: unknown) =>
    preservedLabelState({ rules }, { value: wellFormed(status) }, v1_18.rules);
  const ofText = (rules: Rule[], text: string) =>
    preservedLabelState({ rules }, unmarshal(text), v1_18.rules);

  test('reads one text label per rule', () => {
    const rules = [rule('job-id', '{.jobStatus.jobID}'), rule('replicas', '{.replicas}')];
    expect(of(rules, { jobStatus: { jobID: 'j1' }, replicas: 20000000 })).toEqual({
      labels: { 'job-id': 'j1', replicas: '2e+07' },
    });
  });

  test('uses the later of two rules with the same name', () => {
    const rules = [rule('k', '{.a}'), rule('k', '{.b}')];
    expect(of(rules, { a: 1, b: 2 })).toEqual({ labels: { k: '2' } });
  });

  test('reads no labels without rules', () => {
    expect(preservedLabelState({}, { value: { a: 1 } }, v1_18.rules)).toEqual({ labels: {} });
  });

  test('fails with the error of the first failing rule', () => {
    const rules = [rule('a', '{.a}'), rule('b', '{.missing}'), rule('c', '{.')];
    expect(of(rules, { a: 1 })).toEqual({
      error: 'failed to execute jsonpath "{.missing}": missing is not found',
    });
  });

  test('fails for an invalid template before it reads the status', () => {
    expect(ofText([rule('a', '{.a')], '{broken')).toEqual({
      error: 'unclosed action',
    });
  });

  test('fails for a status that is not JSON', () => {
    expect(ofText([rule('a', '{.a}')], '{"a":1,}')).toEqual({
      error:
        "failed to unmarshal rawStatus: invalid character '}' looking for beginning of object key string",
    });
  });

  test('treats a malformed status as empty up to v1.14', () => {
    const then = dialectOf('v1.14.10').dialect.rules;
    for (const path of ['{}', '{.a}'])
      for (const text of ['{"a":1,}', '"a"', '5', 'true', '[{"a":1}]'])
        expect(preservedLabelState({ rules: [rule('k', path)] }, unmarshal(text), then)).toEqual(
          preservedLabelState({ rules: [rule('k', path)] }, unmarshal('{}'), then),
        );
    expect(preservedLabelState({ rules: [rule('k', '{.a}')] }, unmarshal('{"a":1}'), then)).toEqual({
      labels: { k: '1' },
    });
  });

  test('reads the same labels from a text status and from a parsed status', () => {
    const path = fc.constantFrom('{}', '{.a}', '{.a[*]}', '{..b}', '{.*}', '{range .a[*]}{.b},{end}');
    const status = fc.record({ a: fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(
      fc.property(path, status, (jsonPath, value) => {
        const rules = [rule('k', jsonPath)];
        const text = JSON.stringify(value);
        expect(ofText(rules, text)).toEqual(of(rules, JSON.parse(text)));
      }),
    );
  });
});
