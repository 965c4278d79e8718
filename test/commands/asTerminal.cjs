// Makes a process believe that it writes to a terminal.
const columns = Number(process.env.TERMINAL_COLUMNS ?? 100);
const rows = Number(process.env.TERMINAL_ROWS ?? 40);
const terminal = { isTTY: true, columns, rows, getWindowSize: () => [columns, rows] };
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, terminal);
process.stdin.isTTY = true;
