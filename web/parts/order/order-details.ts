/**
 * A title without its game's name in front, for where that name stands before it already. Only a word of its own is taken away, and a title
 * that is nothing else stays.
 */
export function withoutGame(title: string, gameName: string): string {
  if (gameName === '' || !title.startsWith(gameName)) return title;
  const rest = title.slice(gameName.length);
  const text = rest.replace(/^[\s·:：,，-]+/, '');
  return text === rest || text === '' ? title : text;
}

/** Game and place of an order from its JSON text (product.md 3: gameName, areaName, serverName); a damaged text is empty. */
export function detailsOf(json: string): { gameName: string; region: string } {
  try {
    const value = JSON.parse(json) as { gameName?: unknown; areaName?: unknown; serverName?: unknown } | null;
    const text = (word: unknown) => (typeof word === 'string' ? word : '');
    return {
      gameName: text(value?.gameName),
      region: [text(value?.areaName), text(value?.serverName)].filter(Boolean).join(' / '),
    };
  } catch {
    return { gameName: '', region: '' };
  }
}
