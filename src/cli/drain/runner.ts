import { hostname, userInfo } from 'node:os';

/** The user and the machine, for the drain's annotation: "anna@bastion-1". */
export function runnerName(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // users may have no name, as in containers
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}
