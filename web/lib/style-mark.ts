/**
 * Placeholder for the style sheet in a rendered page. User text can never contain it unescaped, because React escapes
 * one of its characters.
 */
export const STYLE_PLACEHOLDER = '/*<style>*/';
