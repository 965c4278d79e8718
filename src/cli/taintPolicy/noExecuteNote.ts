/** The webhook flag that allows NoExecute in policies. */
export const ALLOWS_NO_EXECUTE = 'allow-no-execute-taint-policy';

/** Notes how to set the flag, if NoExecute is refused only because its value is unknown. */
export function noteAssumedFlag(
  refused: readonly { message: string }[],
  isGuess: boolean,
  note: (text: string) => void,
): void {
  if (isGuess && refused.some(({ message }) => message.includes('NoExecute effect is not allowed')))
    note(
      `The flags of the webhook are unknown, so ${ALLOWS_NO_EXECUTE} is assumed to be false; if it is true, give --assume ${ALLOWS_NO_EXECUTE}=true`,
    );
}
