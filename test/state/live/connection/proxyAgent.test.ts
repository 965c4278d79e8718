import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createAuthority, issue } from '../certificates.ts';
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

/** Connects a client to its destination; every name resolves to this machine. */
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

/** SOCKS 5 with or without a login; it distinguishes names from addresses. */
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
        const port = bytes.readUInt16BE(bytes.length - 2);
        asked.push({ target: `${socksHost(bytes)}:${port}` });
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

/** The destination of a SOCKS request, by its type (RFC 1928, 4). */
function socksHost(bytes: Buffer): string {
  if (bytes[3] === 1) return bytes.subarray(4, 8).join('.');
  if (bytes[3] === 3) return `name ${bytes.subarray(5, 5 + bytes[4]!).toString()}`;
  return `IPv6 ${bytes.subarray(4, 20).toString('hex')}`;
}

const through = (proxyUrl: string, options = {}) =>
  bench.connect(server, { cluster: { 'proxy-url': proxyUrl }, ...options });
const target = () => `127.0.0.1:${server.port}`;

describe('an HTTP proxy', () => {
  test('receives a CONNECT request, and TLS ends at the server', async () => {
    const { port, asked } = await connectProxy();
    const api = await through(`http://127.0.0.1:${port}`);
    expect(await api.get('/a')).toEqual({ fine: true });
    await api.get('/b');
    expect(asked).toEqual([{ target: target(), login: undefined }]);
  });

  test('receives the user and password of its address', async () => {
    const { port, asked } = await connectProxy();
    await (await through(`http://jane:p%40ss@127.0.0.1:${port}`)).get('/a');
    expect(asked[0]!.login).toBe(`Basic ${base64('jane:p@ss')}`);
  });

  test('may use TLS itself', async () => {
    const { port, asked } = await connectProxy('200 OK', true);
    expect(await (await through(`https://127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    expect(asked).toHaveLength(1);
  });

  test('is read from the environment, and resolves host names', async () => {
    const { port, asked } = await connectProxy();
    const api = await bench.connect(server, {
      cluster: { server: `https://karmada.invalid:${server.port}`, 'tls-server-name': 'localhost' },
      environment: { HTTPS_PROXY: `127.0.0.1:${port}`, NO_PROXY: 'example.com' },
    });
    expect(await api.get('/a')).toEqual({ fine: true });
    expect(asked[0]!.target).toBe(`karmada.invalid:${server.port}`);
  });

  test('that refuses CONNECT is named in the error', async () => {
    const { port } = await connectProxy('407 Proxy Authentication Required');
    const failed = (await through(`http://127.0.0.1:${port}`)).get('/a');
    await expect(failed).rejects.toMatchObject({ status: 0, reason: 'EPROXY', exitCode: 4 });
    await expect(failed).rejects.toThrow(
      /the proxy http:\/\/127\.0\.0\.1:\d+ answered 407 .* to CONNECT .*; put USER:PASSWORD@ into its address; see proxy-url/,
    );
  });

  test('that refuses the connection is named in the error', async () => {
    await expect((await through('http://127.0.0.1:1')).get('/a')).rejects.toThrow(
      /the proxy http:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    );
  });

  test('that closes the connection is named in the error without its password', async () => {
    const silent = createServer();
    const port = await listen(silent);
    const asked = new Promise<Socket>((resolve) =>
      silent.on('connection', (socket) => socket.once('data', () => resolve(socket))),
    );
    const api = await through(`http://jane:secret@127.0.0.1:${port}`);
    const failed = api.get('/a').catch((error: unknown) => error as Error);
    (await asked).destroy();
    const { message } = (await failed) as Error;
    expect(message).toMatch(/the proxy http:\/\/127\.0\.0\.1:\d+ cannot be used: socket hang up/);
    expect(message).not.toContain('secret');
  });

  test('receives IPv6 addresses in brackets, which the server certificate must contain', async () => {
    const certificate = issue(server.authority, 'v6', { hosts: ['::1'] });
    const six = await bench.server(() => ({ body: { six: true } }), { certificate });
    const { port, asked } = await connectProxy();
    const cluster = { server: `https://[::1]:${six.port}`, 'proxy-url': `http://127.0.0.1:${port}` };
    expect(await (await bench.connect(six, { cluster })).get('/a')).toEqual({ six: true });
    expect(asked).toEqual([{ target: `[::1]:${six.port}`, login: undefined }]);
    const other = { ...cluster, server: `https://[::2]:${six.port}` };
    await expect((await bench.connect(six, { cluster: other })).get('/a')).rejects.toThrow(
      /is not for ::2|is not for \[::2\]/,
    );
  });

  test('with TLS is verified like the server', async () => {
    const { port } = await connectProxy('200 OK', true);
    const cluster = { 'proxy-url': `https://127.0.0.1:${port}`, 'certificate-authority-data': undefined };
    const foreign = base64(createAuthority().cert);
    const distrusting = { ...cluster, 'certificate-authority-data': foreign };
    await expect((await bench.connect(server, { cluster: distrusting })).get('/a')).rejects.toThrow(
      /the proxy https:\/\/127\.0\.0\.1:\d+ cannot be used: .*(certificate|self-signed|signature)/,
    );
    const insecure = { ...cluster, 'insecure-skip-tls-verify': true };
    expect(await (await bench.connect(server, { cluster: insecure })).get('/a')).toEqual({ fine: true });
  });

  test('forwards plain HTTP', async () => {
    const plain = await bench.server(() => ({ body: { plain: true } }), { plain: true });
    const { port, asked } = await connectProxy();
    const api = await bench.connect(plain, { cluster: { 'proxy-url': `http://127.0.0.1:${port}` } });
    expect(await api.get('/a')).toEqual({ plain: true });
    expect(asked).toHaveLength(1);
  });
});

describe('a SOCKS proxy', () => {
  test('connects to addresses and resolves host names', async () => {
    const { port, asked } = await socksProxy();
    expect(await (await through(`socks5://127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    const cluster = {
      server: `https://karmada.invalid:${server.port}`,
      'tls-server-name': 'localhost',
      'proxy-url': `socks5://127.0.0.1:${port}`,
    };
    expect(await (await bench.connect(server, { cluster })).get('/a')).toEqual({ fine: true });
    expect(asked).toEqual([{ target: target() }, { target: `name karmada.invalid:${server.port}` }]);
  });

  test('resolves host names with the scheme socks5h, as in Go', async () => {
    const { port, asked } = await socksProxy();
    const cluster = {
      server: `https://karmada.invalid:${server.port}`,
      'tls-server-name': 'localhost',
      'proxy-url': `socks5h://127.0.0.1:${port}`,
    };
    expect(await (await bench.connect(server, { cluster })).get('/a')).toEqual({ fine: true });
    expect(asked).toEqual([{ target: `name karmada.invalid:${server.port}` }]);
  });

  test('receives IPv6 addresses as addresses', async () => {
    const certificate = issue(server.authority, 'v6', { hosts: ['::1'] });
    const six = await bench.server(() => ({ body: { six: true } }), { certificate });
    const { port, asked } = await socksProxy();
    const cluster = { server: `https://[::1]:${six.port}`, 'proxy-url': `socks5://127.0.0.1:${port}` };
    expect(await (await bench.connect(six, { cluster })).get('/a')).toEqual({ six: true });
    expect(asked).toEqual([{ target: `IPv6 ${'0'.repeat(31)}1:${six.port}` }]);
  });

  test('does not bypass the verification of the server certificate', async () => {
    const [forLocalhost, forAddress] = await Promise.all(
      ['localhost', '127.0.0.1'].map((host) =>
        bench.server(() => ({}), { certificate: issue(server.authority, host, { hosts: [host] }) }),
      ),
    );
    const { port } = await socksProxy();
    const to = async (other: FakeHttpServer) =>
      (await bench.connect(other, { cluster: { 'proxy-url': `socks5://127.0.0.1:${port}` } })).get('/a');
    await expect(to(forLocalhost!)).rejects.toThrow(/is not for 127\.0\.0\.1: it is for DNS:localhost;/);
    expect(await to(forAddress!)).toEqual({});
  });

  test('reuses connections, and forwards plain HTTP', async () => {
    const plain = await bench.server(() => ({ body: { plain: true } }), { plain: true });
    const { port, asked } = await socksProxy();
    const api = await bench.connect(plain, { cluster: { 'proxy-url': `socks5://127.0.0.1:${port}` } });
    await api.get('/a');
    expect(await api.get('/b')).toEqual({ plain: true });
    expect(asked).toHaveLength(1);
  });

  test('authenticates with user and password', async () => {
    const { port } = await socksProxy({ login: 'jane:secret' });
    expect(await (await through(`socks5://jane:secret@127.0.0.1:${port}`)).get('/a')).toEqual({ fine: true });
    await expect((await through(`socks5://jane:wrong@127.0.0.1:${port}`)).get('/a')).rejects.toThrow(
      /does not accept user and password/,
    );
    await expect((await through(`socks5://127.0.0.1:${port}`)).get('/a')).rejects.toThrow(/wants a login/);
  });

  test('that fails is named in the error without its password', async () => {
    const reporting = async (address: string) => {
      const error = await (await through(address)).get('/a').catch((caught: unknown) => caught as Error);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret');
      return (error as Error).message;
    };
    expect(await reporting('socks5://jane:secret@127.0.0.1:1')).toMatch(
      /the proxy socks5:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    );
    const { port } = await connectProxy();
    expect(await reporting(`socks5://jane:secret@127.0.0.1:${port}`)).toMatch(
      /the proxy socks5:\/\/127\.0\.0\.1:\d+ (does not speak SOCKS 5|cannot be used)/,
    );
  });

  test('reports why it refuses the connection', async () => {
    const { port } = await socksProxy({ reply: 5 });
    await expect((await through(`socks5://127.0.0.1:${port}`)).get('/a')).rejects.toThrow(
      /the proxy socks5:\/\/127\.0\.0\.1:\d+ was refused the connection: 127\.0\.0\.1:\d+; see proxy-url/,
    );
  });
});
