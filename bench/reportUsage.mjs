// Preloaded into measured processes: leaves what they took where the bench looks for it.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(process.resourceUsage()));
});
