// Writes docs/checks.md from the catalogue of findings. With --print it writes to stdout; a test compares that with the committed page.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { checksPage } from '../src/views/doctor/checksPage.ts';

const file = 'docs/checks.md';
const text = await format(checksPage(), { ...(await resolveConfig(file)), filepath: file });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(file, text);
