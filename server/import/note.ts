import type { RowResult } from './store.ts';

/** Maximum length of a corrected value in a note. */
const NOTE_CHARS = 40;

/** Describes how a row was corrected, or why it was rejected. */
export function noteOf(result: RowResult): string {
  if (result.outcome === 'refused' || result.outcome === 'existing') return result.reason;
  return result.corrections
    .map(({ field, from, to }) => {
      const shortened = to.length > NOTE_CHARS ? `${to.slice(0, NOTE_CHARS).toWellFormed()}…` : to;
      return `${field}：${[from, shortened].filter((text) => text !== '').join(' → ')}`;
    })
    .join('；');
}
