/** The flag of the webhook that lets policies have NoExecute. */
export const ALLOWS_NO_EXECUTE = 'allow-no-execute-taint-policy';

/** Notes how to give the flag, if policies are refused for NoExecute only because its value is not known. */
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
