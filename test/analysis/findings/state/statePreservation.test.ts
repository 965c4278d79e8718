import { expect, test } from '@jest/globals';
import { diagnosed } from './diagnosed.ts';
import { exampleOf } from './examples/examples.ts';
import { changed, type Written } from './healthyWorld.ts';

const id = 'state-path-wrong';

/** The finding if the copies have this health. */
async function found(health: string | undefined) {
  const objects = changed(exampleOf(id)).map((one): Written => {
    const { status } = one as { status?: { aggregatedStatus?: object[] } };
    const aggregatedStatus = status?.aggregatedStatus?.map((item) => ({ ...item, health }));
    return one.kind === 'ResourceBinding' && aggregatedStatus
      ? ({ ...one, status: { ...status, aggregatedStatus } } as Written)
      : one;
  });
  const [finding] = (await diagnosed(objects, { only: [id] })).findings;
  return finding!;
}

test('a state path that fails on a Healthy copy is an error', async () => {
  const { severity, remedy, evidence } = await found('Healthy');
  expect([severity, remedy?.text]).toEqual(['error', expect.stringMatching(/^correct jsonPath/)]);
  expect(evidence.map(({ certainty }) => certainty)).not.toContain('estimate');
});

test.each(['Unhealthy', 'Unknown', undefined])(
  'a state path that fails on a copy with health %s is only a warning',
  async (health) => {
    const { severity, message, remedy, evidence } = await found(health);
    expect([severity, remedy?.text]).toEqual(['warning', expect.stringMatching(/^check it again once/)]);
    expect(message).toMatch(/cannot be preserved on member1 yet: .* its status may be incomplete$/);
    expect(evidence[0]).toMatchObject({ certainty: 'estimate', missing: expect.any(String) });
  },
);
