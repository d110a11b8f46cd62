/** How many lines a row of a list has; kept in the browser for all lists. */
export type Lines = 'one' | 'two';
export const LINES_COOKIE = 'listLines';

/** The choice in the cookie; two lines without one. */
export const linesOf = (value: string | null): Lines => (value === 'one' ? 'one' : 'two');
