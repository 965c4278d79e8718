#!/usr/bin/env node
// Firefox as Playwright starts it, over WebDriver BiDi: firefoxForPlaywright.mjs [ARGUMENT…]. FIREFOX names another binary than that of
// Debian. Playwright needs two features that Firefox 153 lacks, which are emulated here; everything else passes through.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

/** Playwright sets each context's colour scheme. It has no effect: browsers.ts sets the scheme by a preference. */
const isUnknown = ({ method }) => method === 'emulation.setMediaFeaturesOverride';

/** Downloads that are not a navigation have no id to distinguish them; their address serves as one. */
function withId(event) {
  if (!event.method?.startsWith('browsingContext.download')) return event;
  const { navigation, url } = event.params;
  return { ...event, params: { ...event.params, download: navigation ?? url } };
}

const binary = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const firefox = spawn(binary, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('exit', (code) => process.exit(code ?? 1));

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
  if (address) standBefore(address);
  else process.stderr.write(`${line}\n`);
});

/** Listens instead of Firefox, and prints the address. */
function standBefore(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on('connection', (client) => {
    const browser = new WebSocket(`${address}/session`);
    const opened = new Promise((resolve) => browser.on('open', resolve));
    client.on('message', (data) => {
      const text = String(data);
      const command = JSON.parse(text);
      if (isUnknown(command)) client.send(JSON.stringify({ type: 'success', id: command.id, result: {} }));
      else void opened.then(() => browser.send(text));
    });
    browser.on('message', (data) => client.send(JSON.stringify(withId(JSON.parse(String(data))))));
    browser.on('close', () => client.close());
    client.on('close', () => browser.close());
  });
}
