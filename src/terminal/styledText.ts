import { redacted } from '../kubernetes/redacted.ts';
import { visibleLines } from '../presentation/visible.ts';
import { plainStyle, type Style } from '../views/style.ts';

/** A style for texts, and what makes a text of it fit to be printed. */
export interface StyledText {
  style: Style;
  /** The text as it may reach a terminal: the marks of this style become colours, all else is shown, and nothing of it is secret. */
  printed(text: string): string;
}

/** Text without colours, for pipes, files and terminals that have none. */
export const plainText: StyledText = {
  style: plainStyle,
  printed: (text) => visibleLines(redacted(text)),
};

/**
 * Text with colours. The style puts marks around what it colours that nobody else can write, because each has a key of its own; only
 * these become escape sequences, so that names and messages of others cannot bring colours of their own.
 */
export function colouredText(): StyledText {
  const key = `${Math.random()}`.slice(2).replace(/^0+/, '') || '1';
  const marked = (open: number, close: number) => (text: string) =>
    `\u001b[${key};${open}m${text}\u001b[${key};${close}m`;
  const parts = `\u001b[${key};`;
  return {
    style: {
      good: marked(32, 39),
      bad: marked(31, 39),
      warn: marked(33, 39),
      faint: marked(2, 22),
      strong: marked(1, 22),
    },
    printed(text) {
      const [first = '', ...others] = redacted(text).split(parts);
      return others.reduce((printed, part) => {
        const end = part.indexOf('m');
        return `${printed}\u001b[${part.slice(0, end)}m${visibleLines(part.slice(end + 1))}`;
      }, visibleLines(first));
    },
  };
}

/** Text as the process' stdout takes it: with colours on a terminal, unless NO_COLOR (https://no-color.org) or TERM=dumb say otherwise. */
export function textForStdout({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'> = process): StyledText {
  return Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? colouredText() : plainText;
}
