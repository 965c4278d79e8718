// Makes a process believe that it writes to a terminal.
const terminal = { isTTY: true, columns: 100, getWindowSize: () => [100, 40] };
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, terminal);
process.stdin.isTTY = true;
