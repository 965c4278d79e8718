import { presentable } from './presentation/presentable.ts';
import { EXIT_OK } from './cli/exitCodes.ts';
import { completions } from './cli/completion/completions.ts';
import { commands, topics } from './cli/completion/typedLine.ts';
import { withTopic } from './cli/withoutTopic.ts';
import { namesWithin } from './cli/completion/names.ts';

/**
 * When names of a live control plane have to be there, in milliseconds since the process began: people wait for 300.
 * Some time is left to it on a machine that is slow itself.
 */
const NAMES_UNTIL = Number(process.env['KARMADA_FAILOVER_COMPLETION_TIMEOUT']) || 200;
const LEAST = 50;

/**
 * The entry of the bundle for completion: prints what may be typed next as cobra prints it for kubectl, "word" or
 * "word<TAB>description" a line, and last ":<directive>". Requests and plugins may still be in progress when it
 * resolves; they are too late.
 */
export async function main(words: string[]): Promise<number> {
  // on a terminal kubectl passes on whatever is written there
  process.stderr.write = () => true;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.max(LEAST, NAMES_UNTIL - performance.now()));
  const names = namesWithin(deadline.signal, process.env);
  const { candidates, directive } = await completions(words.length > 1 ? withTopic(words) : words, {
    commands,
    topics,
    names,
  });
  clearTimeout(timer);
  // a name that steers a terminal is none that anybody could type, and a secret is none that anybody should see
  const lines = candidates
    .filter(({ word }) => presentable(word) === word)
    .map(({ word, description }) =>
      description ? `${word}\t${presentable(description.replaceAll(/\s+/g, ' '))}` : word,
    );
  process.stdout.write([...lines, `:${directive}`, ''].join('\n'));
  return EXIT_OK;
}
