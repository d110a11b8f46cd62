import { cookie, writeCookie } from './cookies.ts';

/** What a visitor chose; absent means that the system decides. */
export type Theme = 'light' | 'dark';

/** Sent to `window` when the visitor chooses another theme. */
export const THEME_EVENT = 'themechange';

const YEAR_HOURS = 24 * 365;

/** A theme's name from its cookie; anything else counts as no choice. */
export function readTheme(value: string | null): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** The theme that this browser was told to use. */
export function currentTheme(): Theme | undefined {
  return readTheme(cookie('theme'));
}

/** Switches the page at once and remembers it; undefined gives the choice back to the system. */
export function applyTheme(theme: Theme | undefined): void {
  const { dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  const dark = theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.mantineColorScheme = dark ? 'dark' : 'light';
  writeCookie('theme', theme ?? '', theme ? YEAR_HOURS : 0);
  window.dispatchEvent(new Event(THEME_EVENT));
}
