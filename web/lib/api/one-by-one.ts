/**
 * Runs the given tasks one after another, in order. A failure is passed to its own caller, and the next task starts. Without it,
 * several files of different size could overtake each other.
 */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
