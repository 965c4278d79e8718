import type { Answer } from '../views/answer.ts';
import { jsonText } from '../views/jsonText.ts';
import { colourStyle, plainStyle } from '../views/style.ts';
import type { OutputFormat } from './flags.ts';

export interface PrintFlags {
  output?: OutputFormat | undefined;
  'no-headers'?: boolean | undefined;
}

/** Writes an answer to stdout in the form that was asked for. */
export async function print(answer: Answer, flags: PrintFlags): Promise<void> {
  const { stdout } = process;
  for (const piece of await render(answer, flags)) {
    // the reader has gone away
    if (stdout.destroyed) return;
    if (!stdout.write(piece)) await drained(stdout);
  }
}

/** Resolves when the stream takes more, or never will. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

async function render(
  answer: Answer,
  { output, 'no-headers': noHeaders = false }: PrintFlags,
): Promise<Iterable<string>> {
  switch (output) {
    case 'json':
      return jsonText(answer.document);
    case 'yaml':
      return [(await import('../views/yaml.ts')).toYaml(answer.document)];
    case 'name':
      return [
        answer
          .names()
          .map((name) => `${name}\n`)
          .join(''),
      ];
    default: {
      const style = wantsColour() ? colourStyle : plainStyle;
      return [`${answer.text({ style, wide: output === 'wide', noHeaders })}\n`];
    }
  }
}

/** https://no-color.org: any value of NO_COLOR but the empty one. */
function wantsColour(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return Boolean(process.stdout.isTTY) && !NO_COLOR && TERM !== 'dumb';
}
