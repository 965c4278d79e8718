/** Runs tasks in order, at most `limit` at a time. Rejects with the first error, and then starts no more tasks. */
export async function inParallel<T>(limit: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  let failed = false;
  async function work(): Promise<void> {
    while (next < tasks.length && !failed) {
      const index = next++;
      try {
        results[index] = await tasks[index]!();
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, work));
  return results;
}
