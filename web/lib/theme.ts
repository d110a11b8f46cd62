import { cookie, writeCookie } from './cookies.ts';

/** The visitor's choice; absent means the system's theme. */
export type Theme = 'light' | 'dark';

/** Dispatched on `window` when the visitor chooses another theme. */
export const THEME_EVENT = 'themechange';

const YEAR_HOURS = 24 * 365;

/** Parses the theme's cookie; an invalid value counts as no choice. */
export function readTheme(value: string | null): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** The theme selected in this browser. */
export function currentTheme(): Theme | undefined {
  return readTheme(cookie('theme'));
}

/** Switches the theme immediately and saves it; undefined returns to the system's theme. */
export function applyTheme(theme: Theme | undefined): void {
  const { dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  const dark = theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.mantineColorScheme = dark ? 'dark' : 'light';
  writeCookie('theme', theme ?? '', theme ? YEAR_HOURS : 0);
  window.dispatchEvent(new Event(THEME_EVENT));
}
