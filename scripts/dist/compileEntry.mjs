// Compiles a TypeScript entry point, such as a test runner, for this platform, exactly as the command line is compiled: same Bun, same
// plugins, to bytecode.
// node scripts/dist/compileEntry.mjs ENTRY OUTFILE
import { compile } from './bun/bun.mjs';
import { thisPlatform } from './platforms.mjs';

const [entry, outfile] = process.argv.slice(2);
compile(thisPlatform(), outfile, entry);
