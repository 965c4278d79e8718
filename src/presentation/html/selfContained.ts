import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { escaped } from './renderHtml.ts';

/** A page that loads nothing and may only display itself. */
interface Page {
  title: string;
  style: string;
  script: string;
  /** HTML from renderers that escape */
  body: string;
  /** data for the script, by id: each is compressed with gzip */
  data: readonly { id: string; text: Iterable<string> }[];
}

/**
 * A page as one file, in pieces. Its policy forbids everything except its own style and script, identified by their
 * hashes: even injected content cannot run scripts, fetch or send anything.
 */
export function* selfContained({ title, style, script, body, data }: Page): Generator<string> {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
`;
  for (const { id, text } of data) {
    yield `<script type="application/gzip" id="${id}">`;
    yield packed(text);
    yield '</script>\n';
  }
  yield `<script>${script}</script>
</body>
</html>
`;
}

function packed(text: Iterable<string>): string {
  const pieces: Buffer[] = [];
  for (const piece of text) pieces.push(Buffer.from(piece));
  return gzipSync(Buffer.concat(pieces), { level: 6 }).toString('base64');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
