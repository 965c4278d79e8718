import { EventEmitter } from 'node:events';

/** A terminal that keeps its output, and has no descriptor. */
export interface FakeTerminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream & { fd: number };
  /** all output */
  written(): string;
  /** the same, without control sequences: a line ends where the cursor is moved */
  text(): string;
  /** forgets the output */
  seen(): void;
}

class Input extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
  setEncoding(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

class Output extends EventEmitter {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  written = '';
  write(text: string): boolean {
    this.written += text;
    return true;
  }
}

export function fakeTerminal(size: { columns?: number; rows?: number } = {}): FakeTerminal {
  const output = Object.assign(new Output(), size);
  return {
    stdin: new Input() as unknown as NodeJS.ReadStream,
    stdout: output as unknown as NodeJS.WriteStream & { fd: number },
    written: () => output.written,
    text: () =>
      // eslint-disable-next-line no-control-regex
      output.written.replace(/\u001b\[[?0-9;]*[A-Za-z]/g, '\n').replace(/\n+/g, '\n'),
    seen: () => void (output.written = ''),
  };
}
