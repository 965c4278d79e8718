import { Transform } from 'ink';

/**
 * The rows of a screen. Each is as wide as it is to be: Ink would measure and wrap each text anew, and
 * keep every one that it has ever measured, which grows for as long as a screen is open. So it measures empty lines.
 */
export function ScreenText({ rows }: { rows: readonly string[] }) {
  return (
    <Transform transform={(_empty, row) => rows[row] ?? ''}>{'\n'.repeat(rows.length - 1) || ' '}</Transform>
  );
}
