import type { RowResult } from './store.ts';

/** Characters of a corrected cell that a note repeats. */
const NOTE_CHARS = 40;

/** How a row was corrected, or why it was not taken, in a sentence. */
export function noteOf(result: RowResult): string {
  if (result.verdict === 'refused' || result.verdict === 'existing') return result.reason;
  return result.corrections
    .map(({ field, from, to }) => {
      const shortened = to.length > NOTE_CHARS ? `${to.slice(0, NOTE_CHARS).toWellFormed()}…` : to;
      return `${field}：${[from, shortened].filter((text) => text !== '').join(' → ')}`;
    })
    .join('；');
}
