// Preloaded into measured processes: writes their resource usage where the bench reads it.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(process.resourceUsage()));
});
