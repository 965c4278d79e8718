// Writes recorded.json: what a real kubectl prints for a list of objects with each of the output flags below.
//   node test/kubectl/record.mjs KUBECTL
// kubectl talks to a fake server, which serves only that list.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const kubectl = process.argv[2];
if (!kubectl) {
  console.error('usage: node test/kubectl/record.mjs KUBECTL');
  process.exit(2);
}
const { objects, flags } = JSON.parse(readFileSync(resolve(import.meta.dirname, 'asked.json'), 'utf8'));

const API = { groupVersion: 'test.example/v1', version: 'v1' };
const answers = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [{ name: 'test.example', versions: [API], preferredVersion: API }],
  },
  '/apis/test.example/v1': {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'test.example/v1',
    resources: [
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] },
    ],
  },
  '/apis/test.example/v1/namespaces/default/things': {
    apiVersion: 'test.example/v1',
    kind: 'ThingList',
    metadata: { resourceVersion: '1' },
    items: objects,
  },
};
const server = createServer((request, response) => {
  const answer = answers[request.url.split('?')[0]];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(answer ?? { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' }),
  );
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
const run = (given) =>
  new Promise((done) => {
    const argv = ['-s', `http://127.0.0.1:${server.address().port}`, 'get', 'things', ...given];
    const file = given.find((flag) => flag.includes('-file='));
    if (file) argv.splice(argv.indexOf(file), 1, file.replace('=', `=${import.meta.dirname}/`));
    execFile(kubectl, argv, { env: { HOME: home, PATH: '' } }, (error, stdout, stderr) => {
      const message = stderr
        .trim()
        .split('\n')[0]
        .replaceAll(`${import.meta.dirname}/`, '');
      done({ flags: given, ...(error ? { code: error.code, message } : { stdout }) });
    });
  });
const recorded = [];
for (const given of flags) recorded.push(await run(given));
const text = `${JSON.stringify(recorded, null, 2)}\n`;
writeFileSync(resolve(import.meta.dirname, 'recorded.json'), text);
server.close();
rmSync(home, { recursive: true });
