/**
 * Ends the process as a hang-up does, once its terminal is gone. Node cannot exit by itself then: it aborts if it
 * cannot restore the terminal's mode.
 */
export function hangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
