import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackedPage } from '../fixtures/unpackedPage.ts';
import { smallWorld, type Json } from './world.ts';

/** Where commands write files. */
const OUT = 'out.json';

/** A directory for the files of one process; can be removed. */
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

  /** What a command wrote to `out`, including the packed data of pages; removes it. */
  written(): string[] {
    if (!existsSync(this.out)) return [];
    const bytes = readFileSync(this.out);
    rmSync(this.out);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
    return [text, ...unpackedPage(text).values()];
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The content for a file: a text unchanged, objects as a List. */
export function textOf(content: Json): string {
  if (typeof content === 'string') return content;
  return JSON.stringify(
    Array.isArray(content) ? { apiVersion: 'v1', kind: 'List', items: content } : content,
  );
}
