import { Static, Text } from 'ink';

/** Lines that stay above the part that is redrawn; each is written once. */
export function Log({ lines }: { lines: readonly string[] }) {
  return <Static items={[...lines]}>{(line, index) => <Text key={index}>{line}</Text>}</Static>;
}
