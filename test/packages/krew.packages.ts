import { createServer, type Server } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { EXECUTABLE, kept, packaged, release, sha256, succeed, testWith, version } from './release.ts';

const KREW = 'sigs.k8s.io/krew/cmd';
const folder = mkdtempSync(join(tmpdir(), 'krew-'));
const tools = kept('krew');
const manifest = join(release, 'karmada-failover.yaml');
const environment = { ...process.env, KREW_ROOT: join(folder, 'krew'), HOME: folder };
const path = (...first: string[]) => [...first, process.env['PATH']].join(':');

let server: Server | undefined;
const withKrew = testWith(['go', 'kubectl'], { asRoot: false });
beforeAll(async () => {
  if (withKrew === test.skip) return;
  for (const [tool, name] of [
    ['krew', 'kubectl-krew'],
    ['validate-krew-manifest', 'validate-krew-manifest'],
  ] as const) {
    if (existsSync(join(tools, name))) continue;
    succeed('go', ['install', `${KREW}/${tool}@v0.4.3`], { ...process.env, GOBIN: tools });
    if (tool !== name) symlinkSync(tool, join(tools, name));
  }
  server = createServer(({ url }, answer) => answer.end(readFileSync(join(release, basename(url ?? '')))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

test("krew's manifest has the checksum of each archive, and fits the length limits of krew's index", () => {
  const { metadata, spec } = parse(readFileSync(manifest, 'utf8')) as {
    metadata: { name: string };
    spec: {
      version: string;
      shortDescription: string;
      platforms: { uri: string; sha256: string; bin: string }[];
    };
  };
  expect(metadata.name).toBe('karmada-failover');
  expect(spec.version).toBe(`v${version}`);
  expect(spec.shortDescription.length).toBeLessThanOrEqual(50);
  expect(spec.platforms.map(({ bin }) => bin)).toEqual([
    ...Array<string>(4).fill(EXECUTABLE),
    ...Array<string>(2).fill(`${EXECUTABLE}.exe`),
  ]);
  for (const { uri, sha256: sum } of spec.platforms) {
    expect(uri).toMatch(`/releases/download/v${version}/`);
    expect(sum).toBe(sha256(readFileSync(join(release, basename(uri)))));
  }
});

withKrew("krew's own validator installs every platform from the manifest", async () => {
  const { port } = server!.address() as AddressInfo;
  // its name must be that of the plugin
  const served = join(folder, 'karmada-failover.yaml');
  const uri = /https:\/\/\S+(?=\/kubectl-karmada_failover-)/g;
  writeFileSync(served, readFileSync(manifest, 'utf8').replace(uri, `http://127.0.0.1:${port}`));
  const validator = spawn(join(tools, 'validate-krew-manifest'), ['-manifest', served], {
    env: { ...environment, PATH: path(tools) },
  });
  let said = '';
  validator.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const [code] = (await once(validator, 'close')) as [number];
  expect(said.match(/installed {1,3}spec\.platforms?\[\d\]/g) ?? said).toHaveLength(6);
  expect({ code, said: code === 0 || said }).toEqual({ code: 0, said: true });
});

withKrew('kubectl krew installs the plugin from its archive, and kubectl runs and completes it', () => {
  const bin = join(environment.KREW_ROOT, 'bin');
  const kubectl = (...argv: string[]) => succeed('kubectl', argv, { ...environment, PATH: path(bin, tools) });
  kubectl('krew', 'install', `--manifest=${manifest}`, `--archive=${packaged('linux-amd64')}`);
  expect(kubectl('karmada-failover', 'version', '--client')).toContain(version);
  writeFileSync(
    join(bin, 'kubectl_complete-karmada_failover'),
    kubectl('karmada-failover', 'completion', 'kubectl'),
    {
      mode: 0o755,
    },
  );
  const line = ['karmada-failover', 'failover', 'status', '--state', 'examples/shop', 't'];
  expect(kubectl('__complete', ...line)).toBe('tokyo\n:4\n');
});
