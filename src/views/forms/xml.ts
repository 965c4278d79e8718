import { presentable } from '../../presentation/presentable.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for XML, without secrets: invisible characters, and those that XML cannot represent, become visible escapes. */
export function xml(text: string): string {
  return presentable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
