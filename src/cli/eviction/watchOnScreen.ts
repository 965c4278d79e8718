import { openEvictionScreen, type EvictionScreen } from '../../terminal/eviction/openEvictionScreen.tsx';
import { redirectLines } from '../../terminal/redirected.ts';
import { hasColours } from '../../terminal/capabilities.ts';
import { charactersFor } from '../../terminal/screen/characters.ts';
import { textOutput } from '../../terminal/textOutput.ts';
import { watchEvictionTasks, type EvictionWatch } from '../../useCases/eviction/watchEvictionTasks.ts';
import type { Ports } from '../../useCases/ports.ts';
import { ports } from '../ports.ts';

/**
 * Shows eviction tasks on a screen as they change, until the user quits; `asked`: the selection in words. Resolves with
 * the exit code.
 */
export async function watchOnScreen(request: EvictionWatch, asked: string): Promise<number> {
  const stop = new AbortController();
  let screen: EvictionScreen | undefined;
  let giveBack: () => void = () => undefined;
  const warn: Ports['warn'] = (text) => (screen ? screen.warn(text) : ports.warn(text));
  const watching = watchEvictionTasks(
    request,
    async ({ karmadaVersion, name, now }) => {
      const { style } = textOutput();
      const opened = await openEvictionScreen({
        stdin: process.stdin,
        stdout: process.stdout,
        style,
        coloured: hasColours(process),
        karmadaVersion,
        name,
        now,
        asked,
        characters: charactersFor(process.env),
      });
      screen = opened;
      // a redirected stderr keeps its messages
      if (process.stderr.isTTY)
        giveBack = redirectLines(process.stderr, (line) => opened.warn(line.replace(/^warning: /, '')));
      void opened.left.then(() => stop.abort());
      return {
        tasks: async (changes, at) => opened.changed(changes, at),
        queue: async (changes) => changes.forEach((standing) => opened.queue(standing)),
        silence: (since) => opened.silent(since),
      };
    },
    { ...ports, warn },
    stop.signal,
  );
  try {
    await watching;
  } finally {
    giveBack();
    screen?.close();
  }
  return (await screen?.left) ?? 0;
}
