import { Command } from '@oclif/core/command';
import * as Flags from '@oclif/core/flags';
export default class EvictionInspect extends Command {
  static override summary = 'x';
  static override flags = {
    state: Flags.string({ multiple: true, summary: 'x' }),
    output: Flags.string({ char: 'o' }),
  };
  async run(): Promise<void> {
    const { flags } = await this.parse(EvictionInspect);
    const { readFileSync } = await import('node:fs');
    this.log(String(JSON.parse(readFileSync(flags.state![0]!, 'utf8')).items.length));
  }
}
