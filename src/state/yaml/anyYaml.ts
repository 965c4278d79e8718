import { load, Schema, Type, YAMLException } from 'js-yaml';
import { DEEPEST_OBJECT } from '../documents.ts';
import { kubectlScalar } from './kubectlScalar.ts';
import { withoutSharing } from './withoutSharing.ts';

/** A mistake in a YAML text. Lines count from 0 at the beginning of the text, columns from 1; a column may be unknown. */
export class YamlProblem extends Error {
  readonly line: number;
  readonly column: number | undefined;

  constructor(line: number, message: string, column?: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The deepest nesting. js-yaml is recursive: this fits its stack, and is far more than any object has. */
const MOST_LEVELS = Math.min(DEEPEST_OBJECT, 500);

let resolved: unknown;

/** One rule for all plain scalars, instead of js-yaml's list of types. */
const plain = new Type('tag:yaml.org,2002:plain', {
  kind: 'scalar',
  resolve(text: string | null) {
    resolved = kubectlScalar(text ?? '');
    return typeof resolved !== 'string';
  },
  construct: () => resolved,
});

function tagged(name: string, accepts: (value: unknown) => boolean): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: 'scalar',
    resolve: (text: string | null) => accepts(kubectlScalar(text ?? '')),
    construct: (text: string | null) => kubectlScalar(text ?? ''),
  });
}

const asText = (text: string | null): string => text ?? '';

const kubectlSchema = new Schema({
  implicit: [plain],
  explicit: [
    tagged('null', (value) => value === null),
    tagged('bool', (value) => typeof value === 'boolean'),
    tagged('int', Number.isInteger),
    tagged('float', (value) => typeof value === 'number'),
    new Type('tag:yaml.org,2002:binary', {
      kind: 'scalar',
      construct: (text: string | null) => Buffer.from(asText(text), 'base64').toString('utf8'),
    }),
    // other tags mean nothing to kubectl, except that the scalar is text
    new Type('', { kind: 'scalar', multi: true, construct: asText }),
    new Type('', { kind: 'sequence', multi: true }),
    new Type('', { kind: 'mapping', multi: true }),
  ],
});

/**
 * Reads one YAML document (or a part of one) as kubectl does. Aliases and merge keys are resolved, or refused if they
 * lead in a circle or expand to far too much. If a name is there twice, the last one counts, and `warn` is called.
 * Throws YamlProblem.
 */
export function parseAnyYaml(text: string, warn: (line: number, message: string) => void): unknown {
  const options = { schema: kubectlSchema, maxDepth: MOST_LEVELS };
  let value: unknown;
  try {
    value = load(text, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason !== 'duplicated mapping key') throw problemOf(error, text);
    const { line, position } = error.mark;
    warn(line, `${keyAt(text, position)} is there twice in one object; the last one counts, as for kubectl`);
    try {
      value = load(text, { ...options, json: true });
    } catch (second) {
      throw second instanceof YAMLException ? problemOf(second, text) : second;
    }
  }
  const nullKey = /^[ -]*(?:~|null|Null|NULL) *:(?= |$)/m.exec(text);
  if (nullKey) throw new YamlProblem(lineOf(text, nullKey.index), 'null cannot be a name; put it in quotes');
  const plainValue = withoutSharing(value);
  if (typeof plainValue === 'object') return plainValue.value;
  const suspect = (plainValue.includes('alias') ? /[ [,]\*\w/ : /[ [,][-+]?\.(?:nan|inf)/i).exec(text);
  throw new YamlProblem(lineOf(text, suspect ? suspect.index + 1 : 0), plainValue);
}

function problemOf(error: YAMLException, text: string): YamlProblem {
  const last = lineOf(text, text.trimEnd().length);
  const { line, column } = error.mark ?? { line: 0, column: undefined };
  const reason = `not valid YAML: ${REASONS[error.reason] ?? error.reason}`;
  return line > last ? new YamlProblem(last, reason) : new YamlProblem(line, reason, column && column + 1);
}

const REASONS: Record<string, string> = {
  'bad indentation of a mapping entry': 'the indentation does not fit, or a value needs quotes',
  'bad indentation of a sequence entry': 'the indentation of a list entry does not fit',
  'can not read a block mapping entry; a multiline key may not be an implicit key':
    'a name without ":" behind it',
  'can not read an implicit mapping pair; a colon is missed': 'a name without ":" behind it',
  'end of the stream or a document separator is expected': 'the indentation does not fit',
};

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length - 1;
}

function keyAt(text: string, position: number): string {
  return /^[ -]*([^\n:]{1,60})/.exec(text.slice(position))?.[1]?.trim() ?? 'a name';
}
