import { describe, expect, test } from '@jest/globals';
import { firstStatus, reportedStatus } from '../../../src/karmada/status/reportedStatus.ts';

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };

describe('the status that a member reports', () => {
  test('has no ready replicas for a Deployment on a new cluster', () => {
    expect(reportedStatus(deployment, 3, 0)).toEqual({
      generation: 1,
      resourceTemplateGeneration: 1,
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      unavailableReplicas: 3,
    });
  });

  test('has a new generation after a change of replicas, but not of readiness', () => {
    const before = { generation: 4, resourceTemplateGeneration: 2, replicas: 3 };
    const scaled = reportedStatus(deployment, 5, 3, before);
    expect(scaled).toMatchObject({
      generation: 5,
      observedGeneration: 5,
      readyReplicas: 3,
      unavailableReplicas: 2,
    });
    expect(reportedStatus(deployment, 5, 5, scaled)).toEqual({
      generation: 5,
      resourceTemplateGeneration: 2,
      observedGeneration: 5,
      replicas: 5,
      updatedReplicas: 5,
      readyReplicas: 5,
      availableReplicas: 5,
    });
  });

  test('omits the observed generation and includes zeros for a StatefulSet', () => {
    expect(reportedStatus({ apiVersion: 'apps/v1', kind: 'StatefulSet' }, 2, 0)).toEqual({
      generation: 1,
      resourceTemplateGeneration: 1,
      replicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 0,
    });
  });

  test('includes the active pods of a Job', () => {
    expect(reportedStatus({ apiVersion: 'batch/v1', kind: 'Job' }, 2, 2, { succeeded: 1 })).toEqual({
      succeeded: 1,
      active: 2,
    });
  });

  test('keeps the status of other kinds and updates its replica counts', () => {
    const flink = { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment' };
    expect(reportedStatus(flink, 2, 2)).toBeUndefined();
    expect(reportedStatus(flink, 2, 1, { jobStatus: { jobID: 'j1' } })).toEqual({
      jobStatus: { jobID: 'j1' },
    });
    expect(reportedStatus(flink, 2, 1, { replicas: 5, readyReplicas: 5, state: 'RUNNING' })).toEqual({
      replicas: 2,
      readyReplicas: 1,
      state: 'RUNNING',
    });
  });

  test('has the replica counts of another custom resource of the kind, without ready replicas', () => {
    const widget = { apiVersion: 'example.io/v1', kind: 'Widget' };
    const another = { observedGeneration: 7, replicas: 4, readyReplicas: 4, phase: 'Running' };
    expect(firstStatus(widget, 2, another)).toEqual({ observedGeneration: 1, replicas: 2, readyReplicas: 0 });
    expect(firstStatus(widget, 2, { phase: 'Running' })).toBeUndefined();
    expect(firstStatus(widget, 2, undefined)).toBeUndefined();
    expect(firstStatus(deployment, 2, another)).toBeUndefined();
  });
});
