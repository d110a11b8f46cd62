const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/** The beginning of a text with at most `max` UTF-16 units, truncated between visible characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
