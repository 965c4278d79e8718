import { Schema, Type, YAMLException, load } from 'js-yaml';
import { setMember, isList, isObject } from '../../kubernetes/json.ts';
import { DEEPEST_OBJECT } from '../documents.ts';
import { kubectlScalar } from './kubectlScalar.ts';

/**
 * An error in a YAML text. Lines count from 0 at the beginning of the text, columns from 1; a column may be unknown.
 */
export class YamlProblem extends Error {
  readonly line: number;
  readonly column: number | undefined;

  constructor(line: number, message: string, column?: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The deepest nesting. js-yaml is recursive: this fits its stack, and exceeds every object. */
const MAX_LEVELS = Math.min(DEEPEST_OBJECT, 500);

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
    // kubectl ignores other tags, except that the scalar is text
    new Type('', { kind: 'scalar', multi: true, construct: asText }),
    new Type('', { kind: 'sequence', multi: true }),
    new Type('', { kind: 'mapping', multi: true }),
  ],
});

/**
 * Reads one YAML document (or part of one) as kubectl does. Aliases and merge keys are resolved, or refused if they
 * form a cycle or expand to far too many values. If a name occurs twice, the last one wins, and `warn` is called.
 * Throws YamlProblem.
 */
export function parseAnyYaml(text: string, warn: (line: number, message: string) => void): unknown {
  const options = { schema: kubectlSchema, maxDepth: MAX_LEVELS };
  let value: unknown;
  try {
    value = load(text, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason !== 'duplicated mapping key') throw problemOf(error, text);
    const { line, position } = error.mark;
    warn(line, `${keyAt(text, position)} is duplicated in one object; the last one counts, as for kubectl`);
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
    'a name without ":" after it',
  'can not read an implicit mapping pair; a colon is missed': 'a name without ":" after it',
  'end of the stream or a document separator is expected': 'the indentation does not fit',
};

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length - 1;
}

function keyAt(text: string, position: number): string {
  return /^[ -]*([^\n:]{1,60})/.exec(text.slice(position))?.[1]?.trim() ?? 'a name';
}

/** Values of a document with its aliases expanded: beyond both limits it is a bomb. */
const MANY_VALUES = 1_000_000;
const MANY_TIMES = 10;

/**
 * Turns js-yaml's output for aliases and `<<` into plain data. Merge keys are applied in text order, as in go-yaml v2.
 * Aliased objects stay shared. Returns the problem as text if an alias contains itself, aliases expand to far too many
 * values, or JSON cannot express a number.
 */
function withoutSharing(document: unknown): { value: unknown } | string {
  const sizes = new Map<object, number>();
  const merged = new Map<object, object>();
  const within = new Set<object>();

  class Refused extends Error {}

  let written = 0;
  const visit = (value: unknown): number => {
    written++;
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Refused(`the number ${asYaml(value)} has no form in JSON; put it in quotes if text is meant`);
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (within.has(value)) throw new Refused('an alias (*name) refers to a value that contains it');
    within.add(value);
    let size = 1;
    for (const inner of Object.values(value)) size += visit(inner);
    if (size > MANY_VALUES && size > MANY_TIMES * written)
      throw new Refused(`its aliases (*name) multiply to over ${MANY_VALUES} values; write the object out`);
    within.delete(value);
    if (isObject(value) && Object.hasOwn(value, '<<')) merged.set(value, merge(value));
    sizes.set(value, size);
    return size;
  };

  type Mapping = Record<string, unknown>;
  const current = (value: unknown): unknown => merged.get(value as object) ?? value;

  /** Applies the merge keys of a mapping; inner mappings are merged already. */
  const merge = (value: Mapping): Mapping => {
    const result: Mapping = {};
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '<<') {
        setMember(result, key, inner);
        continue;
      }
      const sources = isList(inner) ? inner.toReversed() : [inner];
      for (const source of sources) {
        if (typeof source !== 'object' || source === null || Array.isArray(source))
          throw new Refused('"<<" needs an object, or a list of objects, to merge');
        for (const [name, merged] of Object.entries(current(source) as Mapping))
          setMember(result, name, merged);
      }
    }
    return result;
  };

  const replace = (value: unknown, done: Set<object>): unknown => {
    const now = current(value);
    if (typeof now !== 'object' || now === null || done.has(now)) return now;
    done.add(now);
    for (const [key, inner] of Object.entries(now)) (now as Mapping)[key] = replace(inner, done);
    return now;
  };

  try {
    visit(document);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return { value: merged.size === 0 ? document : replace(document, new Set()) };
}

/** A number without a JSON form, in YAML's notation. */
function asYaml(value: number): string {
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}
