import type { Answer } from '../views/answer.ts';
import { jsonText } from '../views/forms/jsonText.ts';
import { writeToStdout } from '../terminal/stdout.ts';
import { messageLines, printHeldMessages, printNote } from '../terminal/messages.ts';
import { printed, textOutput } from '../terminal/textOutput.ts';
import { presentable } from '../presentation/presentable.ts';
import { visibleJson, visibleLines } from '../presentation/visible.ts';
import { redactedData } from '../kubernetes/redaction/redactedData.ts';
import type { Limit } from '../presentation/text/shortened.ts';
import { wholeNumber } from './values.ts';
import { UserError } from './errors.ts';
import { commandLine, connectionWords, kubectlLine, STDIN_STATE } from './commandLine.ts';
import { type listOutputFlags, stateFlags } from './flags.ts';
import type { GivenFlags } from './givenFlags.ts';
import { flagNames } from './flagNames.ts';
import { outputFormat } from './outputFormat.ts';

export type PrintFlags = GivenFlags<typeof listOutputFlags>;

interface Printing {
  /** lines after an answer on a terminal: a question, an error */
  below?: number;
}

/** Writes an answer to stdout in the form that -o asks for. */
export async function print(answer: Answer, flags: PrintFlags, printing: Printing = {}): Promise<void> {
  for (const piece of await rendered(answer, flags, printing)) {
    // the reader has closed the pipe
    if (process.stdout.destroyed) return;
    await writeToStdout(piece);
  }
  printHeldMessages(
    wholeNumber('--limit', flags.limit, 0) === 0 || flags.output !== undefined ? undefined : ALL,
  );
}

/** The command that shows the whole answer. */
const ALL = '--limit=0';

/** An answer in the form of -o, in pieces. Throws a UserError if a template does not fit it. */
export async function rendered(
  given: Answer,
  flags: PrintFlags,
  { below = 0 }: Printing = {},
): Promise<Iterable<string | Uint8Array>> {
  const binary = given.binaryForms?.[flags.output ?? ''];
  if (binary) return await binary();
  const own = given.forms?.[flags.output ?? ''];
  if (own) return [own()];
  const format = await outputFormat(flags.output);
  const answer = await inAskedOrder(given, flags['sort-by']);
  const noHeaders = flags['no-headers'] ?? false;
  switch (format.type) {
    case 'json':
      return jsonText(answer.document);
    case 'yaml':
      return [(await import('../views/forms/yaml.ts')).toYaml(answer.document)];
    case 'name':
      return [
        answer
          .names()
          .map((name) => `${presentable(name)}\n`)
          .join(''),
      ];
    case 'jsonpath': {
      const { asKubectlValue, renderAsKubectl } = await import('../kubernetes/jsonpath/jsonpath.ts');
      const { asJson } = format;
      const answered = renderAsKubectl(
        format.template,
        redactedData(asKubectlValue(answer.documentFor?.(flags.output ?? '') ?? answer.document)),
        asJson,
      );
      return textOrThrow(answered, flags).map(asJson ? visibleJson : forReader);
    }
    case 'custom-columns': {
      const { customColumnsText } = await import('../views/forms/customColumns.ts');
      const items = await listed(answer, columnPaths(flags.output ?? ''));
      return textOrThrow(customColumnsText(format.columns, items, noHeaders), flags).map(visibleLines);
    }
    case 'text': {
      // with the flags that name the state; in one command --cluster lists member clusters instead
      const source = connectionWords(
        Object.fromEntries(
          Object.entries(flags).filter(([name, value]) => name !== 'cluster' || typeof value === 'string'),
        ),
        stateFlags,
      );
      const nameOf = (word: string) => word.split('=')[0];
      // a flag that the command sets itself overrides the given one
      let isFileNeeded = false;
      const command = (words: readonly string[]) => {
        const others = source.filter((flag) => !words.some((word) => nameOf(word) === nameOf(flag)));
        isFileNeeded ||= others.includes(STDIN_STATE);
        return commandLine([...words, ...others]);
      };
      const kubectl = (words: readonly string[]) => kubectlLine(words, source);
      const shown = { wide: format.wide, noHeaders, names: flagNames, command, kubectl };
      const output = textOutput();
      const limit = limitOf(
        flags.limit,
        shown.wide || noHeaders || !output.height ? undefined : roomBelowMessages(output.height - below),
      );
      // an unlimited table also shows every column
      const wide = shown.wide || wholeNumber('--limit', flags.limit, 0) === 0;
      const text = printed(answer.presentation(shown), output, { noHeaders, wide, limit });
      if (isFileNeeded)
        printNote('stdin can be read only once; save the state as FILE to run the next command.');
      return [text];
    }
  }
}

/** Lines for the shell prompt below an answer. */
const BELOW = 1;

/** The minimum number of lines for an answer, however many messages precede it. */
const LEAST = 9;

function roomBelowMessages(height: number): number {
  return Math.max(Math.min(height, LEAST), height - messageLines(ALL));
}

/** The number of rows to show: --limit, otherwise what fits the screen; 0 means all. */
function limitOf(given: string | undefined, height: number | undefined): Limit | undefined {
  const rows = wholeNumber('--limit', given, 0);
  if (rows === 0 || (rows === undefined && height === undefined)) return undefined;
  return rows === undefined ? { height: height! - BELOW, all: ALL } : { rows, all: ALL };
}

function textOrThrow(rendered: { text: string } | { error: string }, { output }: PrintFlags): string[] {
  if ('error' in rendered) throw new UserError(`-o ${output}: ${rendered.error}`);
  return [rendered.text];
}

async function inAskedOrder(answer: Answer, field: string | undefined): Promise<Answer> {
  if (field === undefined || !answer.list) return answer;
  const { sortedPositions } = await import('../views/forms/sorted.ts');
  const sorted = sortedPositions(await listed(answer, [field]), field);
  if ('error' in sorted) throw new UserError(`--sort-by ${sorted.error}`);
  return answer.list.inOrder(sorted.positions);
}

/** The paths of custom-columns=HEADER:PATH,…; none for columns in a file. */
function columnPaths(output: string): string[] {
  const [, columns] = /^custom-columns=(.*)$/s.exec(output) ?? [];
  return columns?.split(',').map((column) => column.slice(column.indexOf(':') + 1)) ?? [];
}

/**
 * The items of the document in the form for templates; the document itself if it has none.
 *
 * @param paths the paths read from an item; none: any
 */
async function listed(answer: Answer, paths: readonly string[]): Promise<unknown[]> {
  const { asKubectlValue } = await import('../kubernetes/jsonpath/jsonpath.ts');
  const { list } = answer;
  const ofItems = paths.map((path) => `.${list?.field}[*].${path.replace(/^\{?\.?/, '')}`);
  const document = (list && answer.documentFor?.(ofItems.join())) ?? answer.document;
  const items = list ? document[list.field] : [document];
  return redactedData(asKubectlValue(items)) as unknown[];
}

/** The result of a template: unchanged in a pipe; with visible control characters on a terminal. */
function forReader(text: string): string {
  return process.stdout.isTTY ? visibleLines(text) : text;
}
