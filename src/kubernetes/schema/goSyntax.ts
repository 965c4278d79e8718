import { quote } from '../goFormat.ts';
import { compareUtf8 } from '../utf8.ts';
import { encodeText, integerText } from './encode.ts';
import { goTypeName, type Field, type Schema, type StructSchema } from './schema.ts';

/** Stands for a pointer's address, which Go prints and which differs each time. */
const SOMEWHERE = '0xc000000000';

/**
 * A decoded value as an error of Kubernetes up to v1.33 prints it: the value itself in Go syntax (`%#v`), inner
 * pointers as addresses, which only say that there is a value, and a nil pointer as "null".
 */
export function goSyntax(schema: Schema, value: unknown): string {
  if (schema.kind !== 'pointer') return syntax(schema, value);
  return value === undefined ? quote('null') : syntax(schema.to, value);
}

function syntax(schema: Schema, value: unknown): string {
  switch (schema.kind) {
    case 'pointer':
      // A time prints itself, even behind a pointer; a nil pointer has no time to print.
      if (schema.to.kind === 'time') return value === undefined ? '<nil>' : syntax(schema.to, value);
      return `(${goTypeName(schema)})(${value === undefined ? 'nil' : SOMEWHERE})`;
    case 'string':
      return quote((value as string | undefined) ?? '');
    case 'boolean':
      return String(value ?? false);
    case 'integer':
      return integerText((value as number | undefined) ?? 0);
    case 'list': {
      if (value === undefined) return `${goTypeName(schema)}(nil)`;
      const items = (value as unknown[]).map((item) => syntax(schema.items, item));
      return `${goTypeName(schema)}{${items.join(', ')}}`;
    }
    case 'map': {
      if (value === undefined) return `${goTypeName(schema)}(nil)`;
      const members = Object.entries(value as object)
        .sort(([a], [b]) => compareUtf8(a, b))
        .map(([name, item]) => `${quote(name)}:${syntax(schema.values, item)}`);
      return `${goTypeName(schema)}{${members.join(', ')}}`;
    }
    case 'struct':
      return structSyntax(schema, (value ?? {}) as Record<string, unknown>);
    // no error of a webhook names one of these
    case 'quantity':
    case 'time':
    case 'raw':
      return encodeText(schema, value);
  }
}

function structSyntax({ goType, fields }: StructSchema, value: Record<string, unknown>): string {
  const members: string[] = [];
  const names = Object.keys(fields);
  for (let i = 0; i < names.length; i++) {
    const { embedded, embeddedType } = fields[names[i]!]!;
    if (embedded === undefined) {
      members.push(
        `${goNameOf(names[i]!, fields[names[i]!]!)}:${syntax(fields[names[i]!]!.schema, value[names[i]!])}`,
      );
      continue;
    }
    const inner: Record<string, Field> = {};
    for (; i < names.length && fields[names[i]!]!.embedded === embedded; i++) {
      const { embedded: _, embeddedType: __, ...field } = fields[names[i]!]!;
      inner[names[i]!] = field;
    }
    i--;
    members.push(
      `${embedded}:${structSyntax({ kind: 'struct', goType: embeddedType ?? '', fields: inner }, value)}`,
    );
  }
  return `${goType}{${members.join(', ')}}`;
}

function goNameOf(name: string, { goName }: Field): string {
  return goName ?? name[0]!.toUpperCase() + name.slice(1);
}
