/** Differences between two texts, for display: by line, and within a changed line by letter. */

export interface DiffPart {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Above this number of comparisons a block is shown as completely removed and added. */
const MOST = 400_000;

/** The longest common sequence of two lists, as runs of equal, removed and added items. */
function runs(before: readonly string[], after: readonly string[]): { kind: DiffPart['kind']; items: string[] }[] {
  const width = after.length + 1;
  if (before.length * after.length > MOST)
    return [
      { kind: 'gone', items: [...before] },
      { kind: 'new', items: [...after] },
    ];
  const longest = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      longest[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const out: { kind: DiffPart['kind']; items: string[] }[] = [];
  const add = (kind: DiffPart['kind'], item: string) => {
    const last = out.at(-1);
    if (last?.kind === kind) last.items.push(item);
    else out.push({ kind, items: [item] });
  };
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [old = '', now = ''] = [before[i], after[j]];
    if (old === now) {
      add('same', old);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      add('gone', old);
      i++;
    } else {
      add('new', now);
      j++;
    }
  }
  for (const old of before.slice(i)) add('gone', old);
  for (const now of after.slice(j)) add('new', now);
  return out;
}

/** Lines that share less than this count as different: marking single common letters would only confuse. */
const ALIKE = 0.5;

function letters(before: string, after: string): DiffPart[] {
  const parts = runs([...before], [...after]).map(({ kind, items }) => ({ kind, text: items.join('') }));
  const common = parts.reduce((sum, { kind, text }) => (kind === 'same' ? sum + text.length : sum), 0);
  if (common >= ALIKE * Math.min(before.length, after.length)) return parts;
  return [
    { kind: 'gone', text: before },
    { kind: 'new', text: after },
  ];
}

/** The parts of both texts in reading order; consecutive parts of one kind are merged. Empty for two empty texts. */
export function diffText(before: string, after: string): DiffPart[] {
  const blocks = runs(before.split(/(?<=\n)/), after.split(/(?<=\n)/));
  const parts: DiffPart[] = [];
  for (const [n, { kind, items }] of blocks.entries()) {
    const text = items.join('');
    const following = blocks[n + 1];
    if (kind === 'gone' && following?.kind === 'new') parts.push(...letters(text, following.items.join('')));
    else if (kind !== 'new' || blocks[n - 1]?.kind !== 'gone') parts.push({ kind, text });
  }
  const joined: DiffPart[] = [];
  for (const part of parts.filter(({ text }) => text !== '')) {
    const last = joined.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
