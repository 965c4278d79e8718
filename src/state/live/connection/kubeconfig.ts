import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { StateError } from '../../errors.ts';
import { whyUnreadable, codeOf } from '../../systemProblem.ts';
import { MIB, wholeFile } from '../../input/wholeFile.ts';
import { checkForm, KUBECONFIG_FORMS } from './kubeconfigForms.ts';
import { typeOf } from '../../schema/check.ts';
import { parseKubectlLayout } from '../../yaml/kubectlLayout.ts';

/** Fields of a kubeconfig, under its own names. */
export interface KubeconfigCluster {
  server?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'certificate-authority'?: string;
  /** base64 of PEM */
  'certificate-authority-data'?: string;
  'proxy-url'?: string;
  'disable-compression'?: boolean;
  extensions?: { name: string; extension: unknown }[];
}

export interface ExecConfig {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: string;
}

export interface KubeconfigUser {
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  'client-certificate'?: string;
  /** base64 of PEM */
  'client-certificate-data'?: string;
  'client-key'?: string;
  /** base64 of PEM */
  'client-key-data'?: string;
  as?: string;
  'as-uid'?: string;
  'as-groups'?: string[];
  'as-user-extra'?: Record<string, string[]>;
  exec?: ExecConfig;
  'auth-provider'?: { name: string; config?: Record<string, string> };
}

interface KubeconfigContext {
  cluster?: string;
  user?: string;
  namespace?: string;
}

export interface Kubeconfig {
  /** the files that were read */
  files: string[];
  /** the files listed in KUBECONFIG that do not exist */
  missing: string[];
  currentContext: string;
  clusters: Map<string, KubeconfigCluster>;
  users: Map<string, KubeconfigUser>;
  contexts: Map<string, KubeconfigContext>;
}

/**
 * Reads the kubeconfig as kubectl does (tools/clientcmd: ClientConfigLoadingRules.Load): only `explicit`, which must
 * exist; else the files of KUBECONFIG, where some may be missing; else ~/.kube/config. The first file that defines a
 * cluster, user or context wins with its whole entry; the first current-context wins too. Relative paths are relative
 * to their file. Throws a StateError.
 */
export async function loadKubeconfig(
  explicit: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Kubeconfig> {
  const merged: Kubeconfig = {
    files: [],
    missing: [],
    currentContext: '',
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
  for (const file of kubeconfigFiles(explicit, environment)) {
    const text = await readIfThere(file, explicit !== undefined);
    if (text === undefined) {
      merged.missing.push(file);
      continue;
    }
    merged.files.push(file);
    const config = await parse(text, file);
    const { 'current-context': current } = config as { 'current-context'?: string | null };
    checkForm(current, 'text', `kubeconfig ${file}`, 'current-context');
    if (merged.currentContext === '') merged.currentContext = current ?? '';
    const folder = resolve(dirname(file));
    addEntries(merged.clusters, config, 'cluster', file, (entry) =>
      withPaths(entry as KubeconfigCluster, ['certificate-authority'], folder),
    );
    addEntries(merged.users, config, 'user', file, (entry) => {
      const user = withPaths(
        entry as KubeconfigUser,
        ['client-certificate', 'client-key', 'tokenFile'],
        folder,
      );
      return user.exec ? { ...user, exec: withCommandPath(user.exec, folder) } : user;
    });
    addEntries(merged.contexts, config, 'context', file, (entry) => entry);
  }
  return merged;
}

function kubeconfigFiles(explicit: string | undefined, environment: NodeJS.ProcessEnv): string[] {
  if (explicit !== undefined) return [explicit];
  const listed = environment['KUBECONFIG'];
  if (listed) return [...new Set(listed.split(delimiter))].filter((file) => file !== '');
  return [join(environment['HOME'] || homedir(), '.kube', 'config')];
}

const LARGEST = 32 * MIB;

async function readIfThere(file: string, required: boolean): Promise<string | undefined> {
  try {
    return (await wholeFile(file, LARGEST)).toString('utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' && !required) return undefined;
    if (code === 'ENOENT')
      throw new StateError(`--kubeconfig ${file}: there is no such file; check the path, or leave it out`);
    throw new StateError(`kubeconfig ${file} cannot be read: ${whyUnreadable(error)}`);
  }
}

type Fields = Record<string, unknown>;

async function parse(text: string, file: string): Promise<Fields> {
  if (text.trim() === '') return {};
  const value = await parseText(text, file);
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new StateError(
      `kubeconfig ${file} holds ${typeOf(value)}, not an object of kind Config; check the path`,
    );
  const config = value as Fields;
  const { kind = 'Config' } = config;
  if (kind !== 'Config') {
    const other = typeof kind === 'string' ? `kind ${kind}` : 'a kind that is not text';
    throw new StateError(`kubeconfig ${file} has ${other}, not Config; check the path`);
  }
  return config;
}

async function parseText(text: string, file: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // it may still be YAML
    }
  }
  const value = parseKubectlLayout(text);
  if (value !== undefined) return value;
  const { parseAnyYaml } = await import('../../yaml/anyYaml.ts');
  try {
    return parseAnyYaml(text, () => undefined);
  } catch (error) {
    if (/[\0\ufffd]/.test(text))
      throw new StateError(`kubeconfig ${file} is binary, not YAML; check the path`);
    // quoted text is from the file, and may be a secret
    const said = (error instanceof Error ? error.message : String(error)).replace(/\s*"[^]*/, '');
    throw new StateError(`kubeconfig ${file} cannot be parsed: ${said}; check the path, or write it again`);
  }
}

function addEntries<T>(
  into: Map<string, T>,
  config: Fields,
  field: keyof typeof KUBECONFIG_FORMS,
  file: string,
  finish: (entry: Fields) => T,
): void {
  const list = `${field}s`;
  const entries = config[list] ?? [];
  if (!Array.isArray(entries))
    throw new StateError(`kubeconfig ${file}: ${list} holds ${typeOf(entries)}, not a list; correct it`);
  const here = new Set<string>();
  entries.forEach((entry: unknown, index) => {
    const { name, [field]: found } = (entry ?? {}) as Fields;
    if (typeof name !== 'string')
      throw new StateError(
        `kubeconfig ${file}: ${list}[${index}].name is missing or not text; give it a name`,
      );
    if (here.has(name))
      throw new StateError(`kubeconfig ${file}: ${list} has two entries named "${name}"; remove one`);
    here.add(name);
    if (into.has(name)) return;
    const value = found ?? {};
    const where = `kubeconfig ${file}: ${field} "${name}"`;
    if (typeof value !== 'object' || Array.isArray(value))
      throw new StateError(`${where} holds ${typeOf(value)}, not an object; correct it`);
    checkForm(value, KUBECONFIG_FORMS[field], where, '');
    into.set(name, finish(value as Fields));
  });
}

function withPaths<T extends object>(entry: T, keys: (keyof T & string)[], folder: string): T {
  const absolute = { ...entry };
  for (const key of keys) {
    const path = entry[key];
    if (typeof path === 'string' && path !== '' && !isAbsolute(path))
      absolute[key] = join(folder, path) as T[typeof key];
  }
  return absolute;
}

/** A command without a separator is looked up in PATH. */
function withCommandPath(exec: ExecConfig, folder: string): ExecConfig {
  const { command } = exec;
  if (typeof command !== 'string' || !command.includes(sep) || isAbsolute(command)) return exec;
  return { ...exec, command: join(folder, command) };
}
