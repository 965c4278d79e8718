import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run } from '../commands/cli.ts';
import { bareDebian, EXECUTABLE, kept, packaged, start, succeed, testWith, unpack } from './release.ts';

const simulate = ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'];
const onBareDebian = testWith(['debootstrap', 'unshare']);
const onArm64 = testWith(['qemu-aarch64-static', 'dpkg-deb', 'apt-get']);
const folder = mkdtempSync(join(tmpdir(), 'debian-'));
const mounted = join(folder, 'root');

beforeAll(() => {
  if (onBareDebian === test.skip) return;
  // hard links: test files in the copy are not in the base
  succeed('cp', ['-al', bareDebian(), mounted]);
  unpack('linux-amd64', join(mounted, 'opt'));
  cpSync(packaged('linux-amd64', 'deb'), join(mounted, 'opt/package.deb'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a shell script in the bare Debian, in /opt, without network, after `prepared` has set up its mounts. */
function inBareDebian(script: string, { user = '0:0', prepared = 'true' } = {}) {
  const mounts = `mount --bind ${mounted} ${mounted} && mount -t proc proc ${mounted}/proc && ${prepared}`;
  const inside = `chroot --userspec=${user} ${mounted} sh -c 'cd /opt && ${script}'`;
  return start('unshare', ['--mount', '--net', 'sh', '-c', `${mounts} && ${inside}`]);
}

onBareDebian('the archive answers where there is nothing else: no Node, no network', () => {
  expect(inBareDebian(`which node; ./${EXECUTABLE} ${simulate.join(' ')}`)).toEqual(run(simulate));
});

onBareDebian('it answers as nobody, with a root that is read-only and a /tmp that runs nothing', () => {
  const prepared = `mount -o remount,ro,bind ${mounted} && mount -t tmpfs -o noexec tmpfs ${mounted}/tmp`;
  const { code, stdout } = inBareDebian(
    `if touch written 2>&-; then exit 9; fi; ./${EXECUTABLE} ${simulate.join(' ')} && echo q | ./${EXECUTABLE} dashboard --plain --state examples/shop && ls -A /tmp`,
    { user: '65534:65534', prepared },
  );
  expect(code).toBe(0);
  const answer = run(simulate).stdout;
  expect(stdout.startsWith(answer)).toBe(true);
  expect(stdout.slice(answer.length)).toMatch(/^examples\/shop +Karmada/);
  // /tmp is empty: the last line is the dashboard's
  expect(stdout).not.toMatch(/\n\S*(bun|oclif|karmada)\S*\n$/);
});

onBareDebian('the package is installed, answers under both names, and is removed without a trace', () => {
  const { code, stdout, stderr } = inBareDebian(
    [
      'find / -xdev -path /proc -prune -o -print | grep -v ^/var/lib/dpkg | sort > /opt/before',
      'dpkg --install package.deb >&2',
      `cd /usr/share/doc/kubectl-karmada-failover`,
      `${EXECUTABLE} ${simulate.join(' ')}`,
      'kubectl_complete-karmada_failover failover status --state examples/shop t',
      'dpkg --purge kubectl-karmada-failover >&2',
      'find / -xdev -path /proc -prune -o -print | grep -v ^/var/lib/dpkg | sort | comm -3 /opt/before -',
    ].join(' && '),
  );
  expect({ code, stdout, stderr: code === 0 || stderr }).toEqual({
    code: 0,
    stdout: `${run(simulate).stdout}tokyo\n:4\n`,
    stderr: true,
  });
});

onArm64('the executable for arm64 answers the same on an emulated processor', () => {
  unpack('linux-arm64', join(folder, 'arm64'));
  const executable = join(folder, 'arm64', EXECUTABLE);
  expect(start('qemu-aarch64-static', ['-L', librariesOfArm64(), executable, ...simulate])).toEqual(
    run(simulate),
  );
});

/** A directory with Debian's libc for arm64, with its own package lists. It is created once. */
function librariesOfArm64(): string {
  const base = kept('arm64');
  if (existsSync(join(base, 'lib'))) return base;
  for (const name of ['lists', 'cache/archives']) mkdirSync(join(base, name, 'partial'), { recursive: true });
  const places = {
    'State::lists': join(base, 'lists'),
    Cache: join(base, 'cache'),
    'State::status': '/dev/null',
  };
  const options = ['APT::Architecture=arm64', 'APT::Architectures=arm64'].concat(
    Object.entries(places).map(([name, place]) => `Dir::${name}=${place}`),
  );
  const apt = `apt-get --quiet ${options.map((option) => `-o ${option}`).join(' ')}`;
  const unpacked = 'for file in *.deb; do dpkg-deb --extract $file .; done';
  succeed('sh', ['-c', `cd ${base} && ${apt} update && ${apt} download libc6:arm64 && ${unpacked}`]);
  return base;
}
