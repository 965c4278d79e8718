// Makes a process believe that it has a terminal with a screen, which sends it keys.
const size = { isTTY: true, columns: 160, rows: 30, getWindowSize: () => [160, 30] };
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, size);
process.stdin.isTTY = true;
process.stdin.setRawMode = () => process.stdin;
