import { readFileSync } from 'node:fs';

/**
 * Whether this process may change its terminal: one in the background of its shell would be stopped. Where nothing
 * tells (no Linux, no terminal that controls it), it may.
 */
export function inForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // proc(5): "pid (comm) state ppid pgrp session tty_nr tpgid …"; comm may hold anything
    const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ofTerminal === '-1' || ofTerminal === group;
  } catch {
    return true;
  }
}
