import { presentable } from './presentation/presentable.ts';
import { EXIT_OK } from './cli/exitCodes.ts';
import { completions } from './cli/completion/completions.ts';
import { commands, topics } from './cli/completion/typedLine.ts';
import { withTopic } from './cli/withoutTopic.ts';
import { namesWithin } from './cli/completion/names.ts';

/**
 * Milliseconds since the process started when names of a live control plane must have arrived: users wait 300. On a
 * slow machine, some time is left for the request.
 */
const NAMES_UNTIL = Number(process.env['KARMADA_FAILOVER_COMPLETION_TIMEOUT']) || 200;
const LEAST = 50;

/**
 * The entry of the bundle for completion: prints candidates as cobra does for kubectl, "word" or "word<TAB>description"
 * a line, and last ":<directive>". Requests and plugins may still be in progress when it resolves; they are too late.
 */
export async function main(words: string[]): Promise<number> {
  // on a terminal kubectl passes stderr on
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
  // omits names with control characters, which nobody can type, and secrets, which nobody should see
  const lines = candidates
    .filter(({ word }) => presentable(word) === word)
    .map(({ word, description }) =>
      description ? `${word}\t${presentable(description.replaceAll(/\s+/g, ' '))}` : word,
    );
  process.stdout.write([...lines, `:${directive}`, ''].join('\n'));
  return EXIT_OK;
}
