import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import packageJson from '../../package.json' with { type: 'json' };

const check = (tag: string) => spawnSync('node', ['scripts/dist/checkTag.mjs', tag], { encoding: 'utf8' });

test('a release fails unless its tag equals the version in package.json', () => {
  expect(check(`v${packageJson.version}`)).toMatchObject({ status: 0, stderr: '' });
  expect(check('v999.0.0')).toMatchObject({
    status: 1,
    stderr: `the tag is v999.0.0, and package.json has version ${packageJson.version}\n`,
  });
});
