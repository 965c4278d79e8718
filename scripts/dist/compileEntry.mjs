// Compiles a TypeScript entry point, such as a test runner, for this platform as the command line is compiled: for the same Bun, to bytecode,
// with the same plugins. node scripts/dist/compileEntry.mjs ENTRY OUTFILE
import { compile } from './bun/bun.mjs';
import { thisPlatform } from './platforms.mjs';

const [entry, outfile] = process.argv.slice(2);
compile(thisPlatform(), outfile, entry);
