/** The guarantees of an order: at most one of each kind, 0 for none. */
export interface GuaranteeIds {
  ensureId: number;
  fixEnsureId: number;
}

interface Offered {
  id: number;
  kind: 'ensure' | 'fixEnsure';
  name: string;
  coverText: string;
}

/** The selected guarantees among those offered. */
export function chosenOf<T extends Offered>(offered: readonly T[], ids: GuaranteeIds): T[] {
  return offered.filter(({ id, kind }) => id === (kind === 'ensure' ? ids.ensureId : ids.fixEnsureId));
}

/** The choice with a guarantee toggled. */
export function idsWith(ids: GuaranteeIds, clicked: Pick<Offered, 'id' | 'kind'>): GuaranteeIds {
  const field = clicked.kind === 'ensure' ? 'ensureId' : 'fixEnsureId';
  return { ...ids, [field]: ids[field] === clicked.id ? 0 : clicked.id };
}

/** Two selected guarantees of which one includes the other, to prevent paying twice; null when there are none. */
export function doubled(chosen: readonly Offered[]): { wider: string; narrower: string } | null {
  for (const wider of chosen) {
    // oxlint-disable-next-line forms/no-chinese-match -- only their text tells what terms include
    const narrower = chosen.find(({ name }) => name !== wider.name && wider.coverText.includes(`含${name}`));
    if (narrower) return { wider: wider.name, narrower: narrower.name };
  }
  return null;
}
