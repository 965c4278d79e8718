import { hostname, userInfo } from 'node:os';

/** Who runs this, for the marks that a drain leaves: "anna@bastion-1", as the machine names them. */
export function runnerName(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // a user id without a name, as containers have them
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}
