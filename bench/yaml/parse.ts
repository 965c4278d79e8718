import { cpuSeconds } from '../measure.ts';

export interface Parse {
  objects: number;
  /** seconds */
  cpu: number;
  /** MiB */
  peak: number;
}

/** Runs a parser once and prints what it took, as JSON. */
export async function reportParse(parse: () => Promise<number>): Promise<void> {
  const before = cpuSeconds();
  const objects = await parse();
  const result: Parse = {
    objects,
    cpu: cpuSeconds() - before,
    peak: process.resourceUsage().maxRSS / 1024,
  };
  console.log(JSON.stringify(result));
}
