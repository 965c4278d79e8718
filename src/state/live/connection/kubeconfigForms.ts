import { isObject } from '../../../kubernetes/json.ts';
import { StateError } from '../../errors.ts';
import { typeOf } from '../../schema/check.ts';

type Form =
  | 'text'
  | 'true or false'
  | { listOf: Form }
  | { recordOf: Form }
  | { fields: Readonly<Record<string, Form>> };

const texts = <Name extends string>(...names: Name[]): Record<string, Form> =>
  Object.fromEntries(names.map((name) => [name, 'text']));

/** The types of the kubeconfig fields that are read, as in clientcmd/api/v1; other fields are not checked. */
export const KUBECONFIG_FORMS = {
  cluster: {
    fields: {
      ...texts(
        'server',
        'tls-server-name',
        'certificate-authority',
        'certificate-authority-data',
        'proxy-url',
      ),
      'insecure-skip-tls-verify': 'true or false',
      'disable-compression': 'true or false',
      extensions: { listOf: { fields: texts('name') } },
    },
  },
  user: {
    fields: {
      ...texts('token', 'tokenFile', 'username', 'password', 'as', 'as-uid'),
      ...texts('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'),
      'as-groups': { listOf: 'text' },
      'as-user-extra': { recordOf: { listOf: 'text' } },
      exec: {
        fields: {
          ...texts('apiVersion', 'command', 'installHint', 'interactiveMode'),
          args: { listOf: 'text' },
          env: { listOf: { fields: texts('name', 'value') } },
          provideClusterInfo: 'true or false',
        },
      },
      'auth-provider': { fields: { ...texts('name'), config: { recordOf: 'text' } } },
    },
  },
  context: { fields: texts('cluster', 'user', 'namespace') },
} as const satisfies Record<string, Form>;

/**
 * Throws a StateError if a value has the wrong form; null counts as absent. The message names only the actual type,
 * since the value may be a secret.
 */
export function checkForm(value: unknown, form: Form, where: string, path: string): void {
  const fail = (what: string): never => {
    throw new StateError(`${where}: ${path} ${what}`);
  };
  if (value === undefined || value === null) return;
  if (form === 'text') {
    if (typeof value === 'object') fail(`is ${typeOf(value)}, not text; correct it`);
    if (typeof value !== 'string') return fail(`is ${typeOf(value)}, not text; put it in quotes`);
    // file names, command lines and headers cannot contain it, and Node would repeat the whole value
    if (value.includes('\0')) fail('has a NUL character; remove it');
  } else if (form === 'true or false') {
    if (typeof value !== 'boolean') fail(`is ${typeOf(value)}, not true or false; correct it`);
  } else if ('listOf' in form) {
    if (!Array.isArray(value)) return fail(`is ${typeOf(value)}, not a list; correct it`);
    for (const [at, item] of value.entries()) {
      if (item === null) throw new StateError(`${where}: ${path}[${at}] is null; remove it`);
      checkForm(item, form.listOf, where, `${path}[${at}]`);
    }
  } else {
    if (!isObject(value)) return fail(`is ${typeOf(value)}, not an object; correct it`);
    const forms =
      'fields' in form
        ? Object.entries(form.fields)
        : Object.keys(value).map((name): [string, Form] => [name, form.recordOf]);
    for (const [name, inner] of forms)
      checkForm(value[name], inner, where, path === '' ? name : `${path}.${name}`);
  }
}
