import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { issue } from '../certificates.ts';
import { base64, Workbench } from '../connecting.ts';
import type { FakeHttpServer } from '../fakeHttpServer.ts';

let bench: Workbench;
let server: FakeHttpServer;
beforeEach(async () => {
  bench = new Workbench();
  server = await bench.server(() => ({ body: { fine: true } }));
});
afterEach(() => bench.end());

async function listen(proxy: Server): Promise<number> {
  const sockets = new Set<Socket>();
  proxy.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  bench.atEnd(() => {
    sockets.forEach((socket) => socket.destroy());
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
}

/** Joins a client to where it wants to go; every name leads to this machine. */
function join(client: Socket, port: number): Socket {
  const target = connect(port, '127.0.0.1');
  target.on('error', () => client.destroy());
  client.on('error', () => target.destroy());
  client.pipe(target).pipe(client);
  return target;
}

interface Asked {
  target: string;
  login?: string | undefined;
}

async function connectProxy(answer = '200 OK', tls = false): Promise<{ port: number; asked: Asked[] }> {
  const asked: Asked[] = [];
  const certificate = issue(server.authority, 'proxy', { hosts: ['127.0.0.1'] });
  const proxy = tls ? createHttpsServer(certificate) : createHttpServer();
  proxy.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push({ target: url, login: headers['proxy-authorization'] });
    socket.write(`HTTP/1.1 ${answer}\r\n\r\n`);
    if (answer.startsWith('200')) join(socket, Number(url.split(':').at(-1)));
    else socket.end();
  });
  return { port: await listen(proxy), asked };
}

/** SOCKS 5 with or without a login, for names and IPv4 addresses. */
async function socksProxy({ login, reply = 0 }: { login?: string; reply?: number } = {}) {
  const asked: Asked[] = [];
  const proxy = createServer((socket) => {
    const steps = [
      (bytes: Buffer) => {
        const method = login === undefined ? 0 : 2;
        socket.write(Buffer.from([5, bytes.subarray(2).includes(method) ? method : 255]));
      },
      ...(login === undefined
        ? []
        : [
            (bytes: Buffer) => {
              const user = bytes.subarray(2, 2 + bytes[1]!).toString();
              const password = bytes.subarray(3 + bytes[1]!).toString();
              socket.write(Buffer.from([1, `${user}:${password}` === login ? 0 : 1]));
            },
          ]),
      (bytes: Buffer) => {
        const host =
          bytes[3] === 1 ? bytes.subarray(4, 8).join('.') : bytes.subarray(5, 5 + bytes[4]!).toString();
        const port = bytes.readUInt16BE(bytes.length - 2);
        asked.push({ target: `${host}:${port}` });
        socket.write(Buffer.from([5, reply, 0, 1, 127, 0, 0, 1, 0, 0]));
        if (reply === 0) join(socket, port);
      },
    ];
    const next = () =>
      socket.once('data', (bytes: Buffer) => {
        const step = steps.shift();
        step?.(bytes);
        if (steps.length > 0) next();
      });
    next();
    socket.on('error', () => undefined);
  });
  return { port: await listen(proxy), asked };
}

const through = (proxyUrl: string, options = {}) =>
  bench.connect(server, { cluster: { 'proxy-url': proxyUrl }, ...options });
const target = () => `127.0.0.1:${server.port}`;

describe('a proxy of HTTP', () => {
  test('is asked to connect; TLS is with the server', async () => {
    const { port, asked } = await connectProxy();
    const api = await through(`http://127.0.0.1:${port}`);
    expect(await api.get('/a')).toEqual({ fine: true });
    await api.get('/b');
    expect(asked).toEqual([{ target: target(), login: undefined }]);
  });

  test('learns user and password of its address', async () => {
    const { port, asked } = await connectProxy();
    await (await through(`http://jane:p%40ss@127.0.0.1:${port}`)).get('/a');
    expect(asked[0]!.login).toBe(`Basic ${base64('jane:p@ss')}`);
  });

  test('may speak TLS itself', async () => {
    const { port, asked } = await connectProxy('200 OK', true);
    expect(await (await through(`https://127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    expect(asked).toHaveLength(1);
  });

  test('comes from the environment, and resolves names itself', async () => {
    const { port, asked } = await connectProxy();
    const api = await bench.connect(server, {
      cluster: { server: `https://karmada.invalid:${server.port}`, 'tls-server-name': 'localhost' },
      environment: { HTTPS_PROXY: `127.0.0.1:${port}`, NO_PROXY: 'example.com' },
    });
    expect(await api.get('/a')).toEqual({ fine: true });
    expect(asked[0]!.target).toBe(`karmada.invalid:${server.port}`);
  });

  test('that refuses is told by name', async () => {
    const { port } = await connectProxy('407 Proxy Authentication Required');
    const failed = (await through(`http://127.0.0.1:${port}`)).get('/a');
    await expect(failed).rejects.toMatchObject({ status: 0, reason: 'EPROXY', exitCode: 4 });
    await expect(failed).rejects.toThrow(
      /the proxy http:\/\/127\.0\.0\.1:\d+ answered 407 .* to CONNECT .*; put USER:PASSWORD@ into its address; see proxy-url/,
    );
  });

  test('that is not there is told by name', async () => {
    await expect((await through('http://127.0.0.1:1')).get('/a')).rejects.toThrow(
      /the proxy http:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    );
  });

  test('carries plain HTTP too', async () => {
    const plain = await bench.server(() => ({ body: { plain: true } }), { plain: true });
    const { port, asked } = await connectProxy();
    const api = await bench.connect(plain, { cluster: { 'proxy-url': `http://127.0.0.1:${port}` } });
    expect(await api.get('/a')).toEqual({ plain: true });
    expect(asked).toHaveLength(1);
  });
});

describe('a SOCKS proxy', () => {
  test('connects to addresses and resolves names', async () => {
    const { port, asked } = await socksProxy();
    expect(await (await through(`socks5://127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    const cluster = {
      server: `https://karmada.invalid:${server.port}`,
      'tls-server-name': 'localhost',
      'proxy-url': `socks5://127.0.0.1:${port}`,
    };
    expect(await (await bench.connect(server, { cluster })).get('/a')).toEqual({ fine: true });
    expect(asked).toEqual([{ target: target() }, { target: `karmada.invalid:${server.port}` }]);
  });

  test('may want a login', async () => {
    const { port } = await socksProxy({ login: 'jane:secret' });
    expect(await (await through(`socks5://jane:secret@127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    await expect((await through(`socks5://jane:wrong@127.0.0.1:${port}`)).get('/a')).rejects.toThrow(
      /does not accept user and password/,
    );
    await expect((await through(`socks5://127.0.0.1:${port}`)).get('/a')).rejects.toThrow(/wants a login/);
  });

  test('says why it does not connect', async () => {
    const { port } = await socksProxy({ reply: 5 });
    await expect((await through(`socks5://127.0.0.1:${port}`)).get('/a')).rejects.toThrow(
      /the proxy socks5:\/\/127\.0\.0\.1:\d+ was refused the connection: 127\.0\.0\.1:\d+; see proxy-url/,
    );
  });
});
