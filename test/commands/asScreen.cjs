// Makes a process believe that it has a terminal with a screen, which sends it keys.
const size = { isTTY: true, columns: 100, rows: 30, getWindowSize: () => [100, 30] };
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, size);
process.stdin.isTTY = true;
process.stdin.setRawMode = () => process.stdin;
