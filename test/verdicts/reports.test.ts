import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { instant } from '../../src/kubernetes/time.ts';
import { type OpenedState, openStateToRead } from '../../src/useCases/state/openState.ts';
import { usualMembers } from '../../src/simulator/store/savedSimulation.ts';
import { quietPorts } from '../useCases/quietPorts.ts';
import {
  answeredOtherwise,
  auditedOtherwise,
  countedOtherwise,
  drainedOtherwise,
  explainedOtherwise,
  foreseenOtherwise,
  inspectedOtherwise,
  overviewedOtherwise,
  recalledOtherwise,
} from './agreement.ts';

// All commands must agree on a reported state.

const AT = '2026-05-04T10:00:00Z';
const reports = join(import.meta.dirname, '..', 'fixtures', 'reports');
const names = readdirSync(reports).filter((name) => name.endsWith('.json'));

function opened(name: string): Promise<OpenedState> {
  return openStateToRead(
    { source: { files: [join(reports, name)] }, at: { time: instant(AT), text: AT } },
    quietPorts(),
  );
}

describe.each(names)('in %s', (name) => {
  test('explain, inspect, status, audit, the dashboard, timeline and drain agree with simulate', async () => {
    const { world, now, configuration } = await opened(name);
    const state = { world, now, configuration, members: usualMembers(world) };
    const fails = state.world.clusters.map(
      ({ metadata }) => ({ at: state.now, action: { type: 'fail', cluster: metadata.name } }) as const,
    );
    expect(explainedOtherwise(state)).toEqual([]);
    for (const event of fails) expect(explainedOtherwise(state, [event])).toEqual([]);
    expect(inspectedOtherwise(state)).toEqual([]);
    expect(foreseenOtherwise(state)).toEqual([]);
    expect(overviewedOtherwise(state)).toEqual([]);
    expect(recalledOtherwise(state)).toEqual([]);
    expect(countedOtherwise(state)).toEqual([]);
    expect(auditedOtherwise(state)).toEqual([]);
    for (const { metadata } of state.world.clusters)
      expect(drainedOtherwise(state, metadata.name)).toEqual([]);
  });

  test('explain agrees with simulate after all its trials', async () => {
    expect(answeredOtherwise(await opened(name))).toEqual([]);
  });
});
