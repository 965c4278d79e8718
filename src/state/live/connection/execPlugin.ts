import { oneLine } from '../../oneLine.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StateError } from '../../errors.ts';
import { reportLongWait } from '../../longWait.ts';
import { isObject } from '../../../kubernetes/json.ts';
import { instant } from '../../../kubernetes/time.ts';
import { show } from '../../schema/check.ts';
import { ApiError } from '../apiError.ts';
import type { Credential, Credentials } from './credential.ts';
import type { ExecConfig } from './kubeconfig.ts';
import type { Timing } from '../mirrors/timing.ts';
import { codeOf, messageOf } from '../../systemProblem.ts';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** The longest plugin output; a credential has a few kilobytes. */
const MAX_CHARACTERS = 1024 * 1024;
const LONGEST_LINE = 4096;

/**
 * Credentials of an exec plugin (client-go's plugin/pkg/client/auth/exec). It runs on demand, again after the
 * expirationTimestamp or a 401, and never concurrently.
 *
 * @param cluster input for a plugin with provideClusterInfo
 * @param says receives each stderr line of a non-interactive plugin
 * @throws StateError if the kubeconfig is wrong; ApiError if the plugin fails
 */
export function execCredentials(
  exec: ExecConfig,
  userName: string,
  cluster: () => Promise<object>,
  timing: Timing,
  says: (line: string) => void,
): Credentials {
  check(exec, userName);
  let held: Credential | undefined;
  let expires = Infinity;
  let running: Promise<Credential> | undefined;
  const refresh = () => {
    running ??= runPlugin(exec, userName, cluster, says)
      .then((result) => {
        held = result.credential;
        expires = result.expires;
        return held;
      })
      .finally(() => (running = undefined));
    return running;
  };
  return {
    async current() {
      return held !== undefined && timing.now() <= expires ? held : refresh();
    },
    async refused(credential) {
      if (credential === held) await refresh();
      return true;
    },
  };
}

function check({ apiVersion, command, env, interactiveMode }: ExecConfig, userName: string): void {
  const wrong = (what: string) => new StateError(`user "${userName}": exec.${what} in the kubeconfig`);
  if (!command) throw wrong('command is missing');
  if (!apiVersion) throw wrong(`apiVersion is missing; write ${VERSIONS[0]}`);
  if (!VERSIONS.includes(apiVersion))
    throw wrong(`apiVersion is "${apiVersion}"; ${VERSIONS.join(' and ')} are understood; correct it`);
  if (env?.some(({ name }) => !name)) throw wrong('env has an entry without a name; correct it');
  const modes = ['Never', 'IfAvailable', 'Always'];
  if (interactiveMode === undefined && apiVersion === VERSIONS[0])
    throw wrong(`interactiveMode is missing; write ${modes.join(', ')}`);
  if (interactiveMode !== undefined && !modes.includes(interactiveMode))
    throw wrong(`interactiveMode is "${interactiveMode}", not one of ${modes.join(', ')}; correct it`);
}

async function runPlugin(
  exec: ExecConfig,
  userName: string,
  cluster: () => Promise<object>,
  says: (line: string) => void,
): Promise<{ credential: Credential; expires: number }> {
  const { apiVersion, command = '', provideClusterInfo } = exec;
  const failed = (what: string, cause?: unknown) =>
    new ApiError(`the credential plugin ${command} of user "${userName}" ${what}`, {
      status: 0,
      reason: 'ExecPluginFailed',
      cause,
    });
  const terminal = Boolean(process.stdin.isTTY);
  if (exec.interactiveMode === 'Always' && !terminal)
    throw failed('is interactive, but stdin is not a terminal; run it in one');
  const interactive = terminal && exec.interactiveMode !== 'Never';
  const info = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...(provideClusterInfo ? { cluster: await cluster() } : {}), interactive },
  };
  const output = await outputOf(exec, JSON.stringify(info), interactive, says).catch((error: unknown) => {
    const hint = exec.installHint ? `; ${oneLine(exec.installHint)}` : '; is it installed, and on the PATH?';
    throw failed(
      codeOf(error) === 'ENOENT'
        ? `is not found${hint}`
        : `${codeOf(error) === undefined ? messageOf(error) : `cannot be run (${codeOf(error)}); is it a program?`}${exec.installHint ? hint : ''}`,
      error,
    );
  });
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw failed('did not print JSON; run it manually to see its output');
  }
  if (!isObject(answer))
    throw failed('printed something other than an ExecCredential; run it manually to see its output');
  if (answer['apiVersion'] !== apiVersion)
    throw failed(
      `answered in ${show(answer['apiVersion'])}, but the kubeconfig says ${apiVersion}; correct one`,
    );
  const { status } = answer;
  if (!isObject(status)) throw failed('printed no status; run it manually to see its output');
  const text = (name: string): string | undefined => {
    const value = status[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw failed(`printed a status whose ${name} is not text; run it manually to see its output`);
  };
  const [token, cert, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')];
  const expires = expiry(text('expirationTimestamp'));
  if (Number.isNaN(expires))
    throw failed('printed an expirationTimestamp that is not a time; run it manually to see its output');
  if (Boolean(cert) !== Boolean(key)) throw failed('printed only one of a certificate and its key');
  if (!token && !cert) throw failed('printed neither a token nor a certificate; log in again');
  return {
    credential: {
      authorization: token ? `Bearer ${token}` : undefined,
      certificate: cert && key ? { cert, key } : undefined,
    },
    expires,
  };
}

function expiry(time: string | undefined): number {
  return time ? instant(time) : Infinity;
}

/** Milliseconds: a login by an operator may take a while, a program's less. */
const ANSWERS_WITHIN = { interactive: 600_000, alone: 120_000 };
/** Milliseconds that child processes of a plugin may keep its output open after its end. */
const CLOSES_WITHIN = 1000;

/** The plugin's stdout. An interactive plugin talks to the user itself; otherwise `says` gets its stderr. */
function outputOf(
  exec: ExecConfig,
  info: string,
  interactive: boolean,
  says: (line: string) => void,
): Promise<string> {
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const within = interactive ? ANSWERS_WITHIN.interactive : ANSWERS_WITHIN.alone;
  const answer = new Promise<string>((resolve, reject) => {
    const child = spawn(exec.command ?? '', exec.args ?? [], {
      env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
      // its own process group, including its children; an interactive one has to stay in the terminal's
      detached: !interactive,
    });
    const done = whileRunning(child, !interactive);
    const fail = (error: Error): void => {
      done();
      reject(error);
    };
    const limit = setTimeout(
      () => fail(new Error(`did not answer within ${within / 1000} s; run it manually to see why`)),
      within,
    );
    let output = '';
    if (child.stderr) reportLines(child.stderr, says);
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      if (output.length <= MAX_CHARACTERS) return;
      fail(new Error('printed more than a credential; run it manually to see its output'));
    });
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(limit);
      done();
      if (code === 0) resolve(output);
      else
        reject(
          new Error(
            `${signal ? `was ended by ${signal}` : `failed with exit code ${code}`}; run it manually to see why`,
          ),
        );
    };
    child.on('error', (error) => {
      clearTimeout(limit);
      fail(error);
    });
    child.on('close', ended);
    child.on('exit', (code, signal) => void setTimeout(() => ended(code, signal), CLOSES_WITHIN).unref());
  });
  return reportLongWait(`the credential plugin ${exec.command}`, answer);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Kills a plugin and its children when this process ends. The returned function stops this, and kills any remaining
 * children.
 */
function whileRunning(child: ChildProcess, ownGroup: boolean): () => void {
  const kill = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    try {
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill();
    } catch {
      // no process is left
    }
  };
  const endWithUs = (signal: NodeJS.Signals): void => {
    kill();
    // another listener decides how this process ends
    if (process.listeners(signal).some((listener) => listener !== endWithUs)) return;
    process.off(signal, endWithUs);
    process.kill(process.pid, signal);
  };
  process.on('exit', kill);
  for (const signal of SIGNALS) process.on(signal, endWithUs);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    process.off('exit', kill);
    for (const signal of SIGNALS) process.off(signal, endWithUs);
    kill();
  };
}

/**
 * Forwards each line of a stream, long lines cut off. After the first megabyte, lines are dropped but still read, so
 * that a full pipe does not block the plugin.
 */
function reportLines(stream: Readable, says: (line: string) => void): void {
  let begun = '';
  let length = 0;
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    if (length > MAX_CHARACTERS) return;
    length += piece.length;
    const [first = '', ...others] = piece.split('\n');
    begun = (begun + first).slice(0, LONGEST_LINE);
    for (const other of others) {
      says(begun);
      begun = other.slice(0, LONGEST_LINE);
    }
    if (length <= MAX_CHARACTERS) return;
    says('the credential plugin printed more than 1 MiB of messages; the rest is left out');
    begun = '';
  });
  stream.on('end', () => {
    if (begun !== '') says(begun);
  });
}
