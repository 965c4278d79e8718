import { describe, expect, test } from '@jest/globals';
import { ports } from '../../../src/cli/ports.ts';
import type { ComponentVersion } from '../../../src/state/componentFlags.ts';
import type { DetectedVersion } from '../../../src/state/source.ts';
import { chooseDialect } from '../../../src/useCases/state/configurationOf.ts';

const runs = (component: ComponentVersion['component'], version: string): ComponentVersion => ({
  component,
  version,
  source: `Deployment karmada-system/${component}`,
});
const choose = (
  wanted: string | undefined,
  { versions = [], detected }: { versions?: ComponentVersion[]; detected?: DetectedVersion } = {},
) => {
  const components = { commandLines: [], versions, warnings: [] };
  const { dialect, ...reported } = chooseDialect(
    wanted,
    { components, ...(detected ? { detected } : {}) },
    ports.names,
  );
  return { follows: dialect.version, ...reported };
};

describe('the Karmada version of an answer', () => {
  test('is the given version, including its patch release', () => {
    const versions = [runs('controllerManager', 'v1.18.2')];
    expect(choose('1.17.3', { versions })).toEqual({
      follows: 'v1.17.3',
      assumption: { name: 'karmadaVersion', value: 'v1.17.3', source: '--karmada-version', assumed: false },
    });
  });

  test('is the image tag of karmada-controller-manager', () => {
    expect(choose(undefined, { versions: [runs('controllerManager', 'v1.13.10')] })).toMatchObject({
      follows: 'v1.13.10',
      assumption: { source: 'Deployment karmada-system/controllerManager runs v1.13.10', assumed: false },
    });
  });

  test('is the version of karmada-controller-manager if another component has another one, with a warning', () => {
    const versions = [runs('scheduler', 'v1.17.0'), runs('controllerManager', 'v1.18.2')];
    expect(choose(undefined, { versions })).toMatchObject({
      follows: 'v1.18.2',
      warning: [
        'Deployment karmada-system/controllerManager runs v1.18.2 and Deployment karmada-system/scheduler v1.17.0; answers use the first, name another with --karmada-version',
      ],
    });
  });

  test('is the newest patch release of the minor version detected from the API, which is an assumption', () => {
    const detected = { version: 'v1.14', source: 'the API has ClusterTaintPolicy, as in v1.14' };
    expect(choose(undefined, { detected })).toMatchObject({
      follows: 'v1.14',
      assumption: { assumed: true, source: expect.stringContaining('its newest patch release') },
    });
  });

  test('is the newest release if nothing shows the version', () => {
    expect(choose(undefined)).toMatchObject({ follows: 'v1.18', assumption: { assumed: true } });
  });

  test.each([
    ['v1.9.4', 'v1.10.0', '--karmada-version: v1.9.4 is older than v1.10; answers follow v1.10.0'],
    ['v1.21.0', 'v1.19', '--karmada-version: v1.21.0 is newer than v1.19; answers follow v1.19'],
  ])('%s has no data, so %s is used with a warning', (wanted, follows, warning) => {
    expect(choose(wanted)).toMatchObject({ follows, assumption: { assumed: true }, warning: [warning] });
  });
});
