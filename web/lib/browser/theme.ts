import { writeCookie } from '../session/cookies.ts';

/** The visitor's choice; absent means the system's theme. */
export type Theme = 'light' | 'dark';

const YEAR_HOURS = 24 * 365;

/** Parses the theme's cookie; an invalid value counts as no choice. */
export function readTheme(value: string | null): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** Switches the theme immediately and saves it; undefined returns to the system's theme. */
export function applyTheme(theme: Theme | undefined): void {
  const { dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  writeCookie('theme', theme ?? '', theme ? YEAR_HOURS : 0);
}
