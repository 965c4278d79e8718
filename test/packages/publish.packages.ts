import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { succeed, testWith } from './release.ts';

const withGh = testWith(['gh'], { asRoot: false });
const folder = mkdtempSync(join(tmpdir(), 'publish-'));
const release = join(folder, 'release');
const socket = join(folder, 'github.sock');
const files = ['SHA256SUMS', 'a.tar.gz', 'b.deb'];

/** The part of GitHub's API for releases: https://docs.github.com/rest/releases. Nothing in it is replaced. */
class GitHub {
  #assets = new Map<string, Buffer>();
  #draft: boolean | undefined;
  /** the content served for an asset, if it differs from the upload */
  tampered = new Map<string, Buffer>();
  /** method and path of each modifying request */
  writes: string[] = [];

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { pathname, searchParams } = new URL(request.url!, 'https://api.github.com');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const asked = `${method} ${pathname}`;
    if (method !== 'GET' && pathname !== '/graphql') this.writes.push(asked);
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const asset = /^GET \/repos\/o\/r\/releases\/assets\/(.+)$/.exec(asked)?.[1];
    if (asked === 'POST /graphql') {
      // whether the tag exists, and whether its release has a draft
      const { query } = JSON.parse(body.toString()) as { query: string };
      send(200, {
        data: { repository: query.includes('ref(') ? { ref: { id: 'tag' } } : { release: null } },
      });
    } else if (asked === 'POST /repos/o/r/releases') {
      const { draft, tag_name: tag } = JSON.parse(body.toString()) as { draft: boolean; tag_name: string };
      if (tag !== 'v1' || this.#draft !== undefined)
        return void send(422, { message: 'Validation Failed', errors: [{ code: 'already_exists' }] });
      this.#draft = draft;
      send(201, this.#release());
    } else if (asked === 'POST /upload') {
      const name = searchParams.get('name')!;
      if (this.#assets.has(name))
        return void send(422, { message: 'Validation Failed', errors: [{ code: 'already_exists' }] });
      this.#assets.set(name, body);
      send(201, { name, state: 'uploaded' });
    } else if (asked === 'PATCH /repos/o/r/releases/1') {
      this.#draft = (JSON.parse(body.toString()) as { draft: boolean }).draft;
      send(200, this.#release());
    } else if (asked === 'GET /repos/o/r/releases/tags/v1' && this.#draft === false)
      send(200, this.#release());
    else if (asset !== undefined)
      response.writeHead(200).end(this.tampered.get(asset) ?? this.#assets.get(asset));
    else send(404, { message: 'Not Found' });
  }

  #release() {
    const api = 'https://api.github.com/repos/o/r/releases';
    const assets = [...this.#assets.keys()].map((name) => ({
      name,
      url: `${api}/assets/${name}`,
      state: 'uploaded',
    }));
    return {
      id: 1,
      tag_name: 'v1',
      draft: this.#draft,
      assets,
      url: `${api}/1`,
      html_url: 'https://github.com/o/r/releases/v1',
      upload_url: 'https://api.github.com/upload{?name,label}',
    };
  }
}

let gitHub = new GitHub();
const server = createServer((request, response) => void gitHub.answer(request, response));

beforeAll(async () => {
  succeed('mkdir', ['-p', join(release, 'linux-amd64'), join(folder, 'config'), join(folder, 'bin')]);
  for (const name of files) writeFileSync(join(release, name), `content of ${name}`);
  writeFileSync(join(folder, 'config/config.yml'), `http_unix_socket: ${socket}\n`);
  // the builder is verified by Sigstore, which no test can play; Debian's gh does not ask it yet
  const real = succeed('which', ['gh']).trim();
  const gh = join(folder, 'bin/gh');
  writeFileSync(gh, `#!/bin/sh\n[ "$1" = attestation ] || exec ${real} "$@"\n`);
  chmodSync(gh, 0o755);
  await once(server.listen(socket), 'listening');
});
beforeEach(() => {
  gitHub = new GitHub();
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Releases the folder with the workflow's script and the real gh. */
async function published() {
  const script = spawn('node', ['scripts/dist/publish.mjs', 'v1', release], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
      HOME: folder,
      GH_CONFIG_DIR: join(folder, 'config'),
      GH_TOKEN: 'none',
      GH_REPO: 'o/r',
      GITHUB_REPOSITORY: 'o/r',
    },
  });
  let stderr = '';
  script.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [code] = (await once(script, 'close')) as [number];
  return { code, stderr };
}

withGh('gh uploads all files of a release before publishing it, and downloads them again', async () => {
  expect(await published()).toEqual({ code: 0, stderr: '' });
  expect(gitHub.writes).toEqual([
    'POST /repos/o/r/releases',
    ...files.map(() => 'POST /upload'),
    'PATCH /repos/o/r/releases/1',
  ]);
});

withGh('gh fails for an existing release, and writes none of its files', async () => {
  await published();
  const before = gitHub.writes.length;
  const { code, stderr } = await published();
  expect(code).toBe(1);
  expect(stderr).toContain('release v1 is not verified: Command failed: gh release create v1');
  expect(gitHub.writes.slice(before).filter((asked) => asked !== 'POST /repos/o/r/releases')).toEqual([]);
});

withGh('the files that gh downloads are compared with the local ones', async () => {
  gitHub.tampered.set('b.deb', Buffer.from('other'));
  const { code, stderr } = await published();
  expect(code).toBe(1);
  expect(stderr).toContain('b.deb of release v1 differs from the one in ');
  expect(readdirSync(release).length).toBe(files.length + 1);
  expect(readFileSync(join(release, 'b.deb'), 'utf8')).toBe('content of b.deb');
});
