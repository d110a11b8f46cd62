/** The conversations shown side by side, stored in the URL: `w` in their order, `g` the one in focus. */

export const MAX_SLOTS = 3;

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The open conversations in their order; the one in focus is always among them. */
export function slotsOf(search: URLSearchParams): string[] {
  const focus = search.get('g') ?? '';
  const open = (search.get('w') ?? '').split(',').filter(isId);
  const all = [...new Set(isId(focus) && !open.includes(focus) ? [...open, focus] : open)];
  const visible = all.slice(0, MAX_SLOTS);
  return isId(focus) && !visible.includes(focus) ? [...visible.slice(0, MAX_SLOTS - 1), focus] : visible;
}

/**
 * The URL with another conversation in focus: one that is already open, in a free column, or in place of the one in
 * focus.
 */
export function opening(search: URLSearchParams, id: string): URLSearchParams {
  const slots = slotsOf(search);
  const focus = search.get('g');
  const next = slots.includes(id)
    ? slots
    : slots.length < MAX_SLOTS
      ? [...slots, id]
      : slots.map((slot) => (slot === focus ? id : slot));
  const to = new URLSearchParams(search);
  to.set('g', id);
  to.set('w', next.join(','));
  to.delete('orderSn');
  return to;
}

/** The URL without a conversation; the focus moves to its neighbour. */
export function closing(search: URLSearchParams, id: string): URLSearchParams {
  const slots = slotsOf(search);
  const rest = slots.filter((slot) => slot !== id);
  const to = new URLSearchParams(search);
  const focus = search.get('g') === id ? rest[Math.max(0, slots.indexOf(id) - 1)] : (search.get('g') ?? undefined);
  if (focus === undefined) {
    to.delete('g');
    to.delete('w');
  } else {
    to.set('g', focus);
    to.set('w', rest.join(','));
  }
  return to;
}
