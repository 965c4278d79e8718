import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  preservedLabelState,
  preservedLabelStateOfText,
  preservedLabelStateOnCluster,
} from '../../../src/engine/eviction/statePreservation.ts';
import { v1_18 } from '../../dialects.ts';

const rule = (aliasLabelName: string, jsonPath: string) => ({ aliasLabelName, jsonPath });

describe('the labels that state preservation takes from a status', () => {
  test('one label per rule, as text', () => {
    const rules = [rule('job-id', '{.jobStatus.jobID}'), rule('replicas', '{.replicas}')];
    expect(
      preservedLabelState({ rules }, { jobStatus: { jobID: 'j1' }, replicas: 20000000 }, v1_18.rules),
    ).toEqual({
      labels: { 'job-id': 'j1', replicas: '2e+07' },
    });
  });

  test('of two rules with one name the later one counts', () => {
    const rules = [rule('k', '{.a}'), rule('k', '{.b}')];
    expect(preservedLabelState({ rules }, { a: 1, b: 2 }, v1_18.rules)).toEqual({ labels: { k: '2' } });
  });

  test('no rules, no labels', () => {
    expect(preservedLabelState({}, { a: 1 }, v1_18.rules)).toEqual({ labels: {} });
  });

  test('the first rule that fails decides', () => {
    const rules = [rule('a', '{.a}'), rule('b', '{.missing}'), rule('c', '{.')];
    expect(preservedLabelState({ rules }, { a: 1 }, v1_18.rules)).toEqual({
      error: 'failed to execute jsonpath "{.missing}": missing is not found',
    });
  });

  test('a template that does not parse fails before the status is read', () => {
    expect(preservedLabelStateOfText({ rules: [rule('a', '{.a')] }, '{broken', v1_18.rules)).toEqual({
      error: 'unclosed action',
    });
  });

  test('a status that is not JSON fails', () => {
    expect(preservedLabelStateOfText({ rules: [rule('a', '{.a}')] }, '{"a":1,}', v1_18.rules)).toEqual({
      error:
        "failed to unmarshal rawStatus: invalid character '}' looking for beginning of object key string",
    });
  });

  test('text and parsed status give the same', () => {
    const path = fc.constantFrom('{}', '{.a}', '{.a[*]}', '{..b}', '{.*}', '{range .a[*]}{.b},{end}');
    const status = fc.record({ a: fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(
      fc.property(path, status, (jsonPath, value) => {
        const rules = { rules: [rule('k', jsonPath)] };
        const text = JSON.stringify(value);
        expect(preservedLabelStateOfText(rules, text, v1_18.rules)).toEqual(
          preservedLabelState(rules, JSON.parse(text), v1_18.rules),
        );
      }),
    );
  });
});

describe('the labels that an eviction from a cluster preserves', () => {
  const statePreservation = { rules: [rule('replicas', '{.replicas}')] };

  test("come from that cluster's item", () => {
    const aggregatedStatus = [
      { clusterName: 'm1', status: { replicas: 1 } },
      { clusterName: 'm2', status: { replicas: 2 } },
    ];
    expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
      labels: { replicas: '2' },
    });
  });

  test.each([undefined, [], [{ clusterName: 'm2' }], [{ clusterName: 'm2', status: null }]])(
    'are an error where no status has been collected: %j',
    (aggregatedStatus) => {
      expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
        error: 'the application status has not yet been collected from Cluster(m2)',
      });
    },
  );

  test.each([undefined, {}, { rules: [] }])('are none without rules: %j', (without) => {
    expect(preservedLabelStateOnCluster(without, undefined, 'm2', v1_18.rules)).toBeUndefined();
  });
});
