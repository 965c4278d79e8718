/** Whether an answer to a question means yes: only y and yes do. */
export function meansYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
