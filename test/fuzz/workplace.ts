import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallWorld, type Json } from './world.ts';

/** Where commands that write a file write it. */
const OUT = 'out.json';

/** A place for the files of one process, and its end. */
export class Workplace {
  readonly directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fuzz-'));
  readonly world = smallWorld();
  readonly out = this.path(OUT);

  path(name: string): string {
    return join(this.directory, name);
  }

  file(name: string, content: Json): string {
    writeFileSync(this.path(name), textOf(content));
    return this.path(name);
  }

  /** What a command has written to `out`, and takes it away. */
  written(): string[] {
    if (!existsSync(this.out)) return [];
    const text = readFileSync(this.out, 'utf8');
    rmSync(this.out);
    return [text];
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What is in a file of it: a text as it is, objects as a List. */
export function textOf(content: Json): string {
  if (typeof content === 'string') return content;
  return JSON.stringify(
    Array.isArray(content) ? { apiVersion: 'v1', kind: 'List', items: content } : content,
  );
}
