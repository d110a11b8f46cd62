import appCssUrl from '../../styles/app.css?url';

/** The style sheet of all pages as a separate file, and the cookie showing that a browser has stored exactly this file. */
export const pageStyleFile = {
  url: appCssUrl,
  cookie: { name: 'style', value: /(?:^|\/)([^/]+)\.css$/.exec(appCssUrl)?.[1] ?? '' },
};

/**
 * Placeholder for the style sheet in a rendered page. User text can never contain it unescaped, because React escapes
 * one of its characters.
 */
export const STYLE_PLACEHOLDER = '/*<style>*/';
