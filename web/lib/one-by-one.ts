/**
 * Runs what it is given one after another, in the order in which it was given. A failure goes to its own caller, and the next one starts. What
 * several files of different size would otherwise do is overtake each other.
 */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
