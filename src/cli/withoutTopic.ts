/** Commands of the topic `failover` that also work without that word: the most used ones. */
export const WITHOUT_TOPIC: readonly string[] = ['audit', 'diff', 'explain', 'simulate', 'status'];

/** A command line with the topic that its first word omits, also after `help`. */
export function withTopic(argv: readonly string[]): string[] {
  const at = argv[0] === 'help' ? 1 : 0;
  const word = argv[at];
  if (word === undefined || !WITHOUT_TOPIC.includes(word)) return [...argv];
  return [...argv.slice(0, at), 'failover', ...argv.slice(at)];
}
