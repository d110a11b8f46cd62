/**
 * Removes the game's name from the start of a title, for places that already display it. Only a separate word is
 * removed, and a title that consists of the name stays.
 */
export function withoutGame(title: string, gameName: string): string {
  if (gameName === '' || !title.startsWith(gameName)) return title;
  const rest = title.slice(gameName.length);
  const text = rest.replace(/^[\s·:：,，-]+/, '');
  return text === rest || text === '' ? title : text;
}

/**
 * Game, area and server of an order from its JSON text (product.md 3: gameName, areaName, serverName); empty when the
 * text is invalid.
 */
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
