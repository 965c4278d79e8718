import type { ListNode } from '../kubernetes/jsonpath/template.ts';
import type { CustomColumn } from '../views/forms/customColumns.ts';
import { nearMatches } from '../kubernetes/spelling.ts';
import { UserError, withSuggestion } from './errors.ts';

/** The values of -o; "=" introduces a template, columns, or a file with them. */
export const OUTPUT_FORMATS = [
  'json',
  'yaml',
  'wide',
  'name',
  'jsonpath=',
  'jsonpath-as-json=',
  'jsonpath-file=',
  'custom-columns=',
  'custom-columns-file=',
] as const;

/** How to print an answer, from -o. */
type OutputFormat =
  | { type: 'text'; wide: boolean }
  | { type: 'json' | 'yaml' | 'name' }
  | { type: 'jsonpath'; template: ListNode; asJson: boolean }
  | { type: 'custom-columns'; columns: CustomColumn[] };

/**
 * Reads the value of -o. Throws a UserError that explains the problem or lists the values.
 * @param more further values of this command, for the error
 */
export async function outputFormat(
  given: string | undefined,
  more: readonly string[] = [],
): Promise<OutputFormat> {
  switch (given) {
    case undefined:
      return { type: 'text', wide: false };
    case 'wide':
      return { type: 'text', wide: true };
    case 'json':
    case 'yaml':
    case 'name':
      return { type: given };
  }
  const equals = given.indexOf('=');
  const name = equals === -1 ? given : given.slice(0, equals);
  const argument = equals === -1 ? '' : given.slice(equals + 1);
  switch (name) {
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'jsonpath-file':
      return await jsonPathFormat(name, await content(name, argument, "'{.kind}'"));
    case 'custom-columns':
    case 'custom-columns-file':
      return await customColumnsFormat(name, await content(name, argument, 'NAME:.name'));
  }
  const known = [...OUTPUT_FORMATS, ...more].map((format) => format.replace('=', '=...'));
  const bare = known.map((format) => format.replace('=...', ''));
  const goTemplate = /^(go-)?template(-file)?$/.test(name);
  throw new UserError(
    withSuggestion(
      goTemplate ? `-o ${name} is not supported` : `-o ${given} is not known`,
      goTemplate ? [] : nearMatches(name, bare).map((one) => known[bare.indexOf(one)]!),
      `choose from ${known.join(', ')}`,
    ),
  );
}

/** The text after "=", or the content of the file that it names. */
async function content(name: string, argument: string, example: string): Promise<string> {
  const file = name.endsWith('-file');
  if (argument === '') throw new UserError(`-o ${name} needs a value: ${name}=${file ? 'FILE' : example}`);
  if (!file) return argument;
  const [{ MIB, wholeFile }, { whyUnreadable }] = await Promise.all([
    import('../state/input/wholeFile.ts'),
    import('../state/systemProblem.ts'),
  ]);
  try {
    return (await wholeFile(argument, MIB)).toString('utf8');
  } catch (error) {
    throw new UserError(`-o ${name}=${argument}: ${whyUnreadable(error)}`);
  }
}

/** Characters of a template to quote in a message: files may be long. */
const LONGEST_SHOWN = 1000;

async function jsonPathFormat(name: string, template: string): Promise<OutputFormat> {
  const { parseJsonPath } = await import('../kubernetes/jsonpath/jsonpath.ts');
  const parsed = parseJsonPath(template);
  const shown = template.length > LONGEST_SHOWN ? `${template.slice(0, LONGEST_SHOWN)}…` : template;
  if ('error' in parsed) throw new UserError(`-o ${name}: ${shown}: ${parsed.error}`);
  return { type: 'jsonpath', template: parsed.template, asJson: name === 'jsonpath-as-json' };
}

async function customColumnsFormat(name: string, spec: string): Promise<OutputFormat> {
  const { parseCustomColumns, parseCustomColumnsFile } = await import('../views/forms/customColumns.ts');
  const parsed = name === 'custom-columns' ? parseCustomColumns(spec) : parseCustomColumnsFile(spec);
  if ('error' in parsed) throw new UserError(`-o ${name}: ${parsed.error}`);
  return { type: 'custom-columns', columns: parsed.columns };
}
