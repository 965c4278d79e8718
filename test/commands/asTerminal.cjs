// Makes a process believe that it writes to a terminal.
const columns = Number(process.env.TERMINAL_COLUMNS ?? 100);
const terminal = { isTTY: true, columns, getWindowSize: () => [columns, 40] };
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, terminal);
process.stdin.isTTY = true;
