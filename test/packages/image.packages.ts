import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { run, type Ran } from '../commands/cli.ts';
import { bareDebian, release, start, succeed, testWith, version } from './release.ts';

const withImages = testWith(['buildah', 'podman', 'debootstrap', 'unshare']);
const folder = mkdtempSync(join(tmpdir(), 'image-'));
// this machine's own images are not touched
const storage = [
  `--root=${join(folder, 'storage')}`,
  `--runroot=${join(folder, 'run')}`,
  '--storage-driver=vfs',
];
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs the image as pods run it: user nobody, a read-only root, no network. It gets a cgroup tree of version 2, even if the machine has
 * both.
 */
function inImage(...argv: readonly string[]): Ran {
  const run = [
    'podman',
    ...storage,
    'run',
    '--rm',
    '--timeout=20',
    '--read-only',
    '--network=none',
    '--cgroups=disabled',
  ];
  const limits = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'];
  const command = [
    ...run,
    ...limits,
    `--volume=${resolve('examples')}:/examples:ro`,
    'localhost/failover',
    ...argv,
  ];
  const cgroups = 'umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup';
  return start('unshare', ['--mount', 'sh', '-c', `${cgroups} && exec "$@"`, 'sh', ...command]);
}

withImages(
  'the image builds on a bare Debian, and gives the same answers as user nobody with a read-only root',
  () => {
    succeed('tar', ['-C', bareDebian(), '-cf', join(folder, 'base.tar'), '.']);
    writeFileSync(join(folder, 'Base'), 'FROM scratch\nADD base.tar /\n');
    const build = (...argv: string[]) =>
      succeed('buildah', [...storage, 'build', '--isolation=chroot', ...argv]);
    build('--tag=localhost/base', `--file=${join(folder, 'Base')}`, folder);
    build('--build-arg=BASE=localhost/base', '--tag=localhost/failover', '--file=Dockerfile', release);

    expect(inImage('version', '--client')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(version),
    });
    const simulate = ['failover', 'simulate', '--fail', 'frankfurt', '-o', 'json', '--state'];
    expect(inImage(...simulate, '/examples/shop')).toMatchObject({
      code: 0,
      stdout: run([...simulate, 'examples/shop']).stdout.replaceAll('"examples/shop', '"/examples/shop'),
    });
  },
);

withImages('the image has the same user as the manifests, and controllers start in it', () => {
  const user = succeed('podman', [
    ...storage,
    'image',
    'inspect',
    '--format={{.User}}',
    'localhost/failover',
  ]);
  expect(user.trim()).toBe('65532:65532');
  const controller = ['controller', 'run', '--observe', '--server', 'https://127.0.0.1:1'];
  expect(inImage(...controller).stderr).toContain('waiting for https://127.0.0.1:1 to answer');
});
