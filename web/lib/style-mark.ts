/** Stands in a rendered page where its style sheet goes. No text of a user can hold it unescaped: it has a sign that React escapes. */
export const STYLE_PLACEHOLDER = '/*<style>*/';
