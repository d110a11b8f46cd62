/**
 * The part of a request's number that a page shows and a user reads out: its first eight characters, which can be searched in the log
 * (docs/OPERATIONS.md, "The logs"). `requestNumber('27ac930b-a5f4-4d38-…')` is '27ac930b'.
 */
export const requestNumber = (id: string): string => id.slice(0, 8);
