/** The properties of a guarantee's terms that its payouts depend on. */
interface Paying {
  id: number;
  name: string;
  pays: readonly { name: string; text: string }[];
}

/**
 * The payouts of each available guarantee by reason, from its terms (subjects/guarantees/rules/guarantee.ts). Expanded
 * for the chosen guarantees; otherwise collapsed.
 */
export function GuaranteePays({ list, chosen }: { list: readonly Paying[]; chosen: readonly Paying[] }) {
  const open = chosen.length > 0;
  const visible = (open ? chosen : list).filter(({ pays }) => pays.length > 0);
  if (visible.length === 0) return null;
  return (
    <details className="mt-2 text-12" key={open ? 'chosen' : 'all'} open={open}>
      <summary className="hit w-fit cursor-pointer text-link">赔什么、最多赔多少</summary>
      {visible.map(({ id, name, pays }) => (
        <dl
          key={id}
          className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-control border border-line-soft px-3 py-2"
        >
          <dt className="col-span-2 font-medium">{name}</dt>
          {pays.map((pay) => (
            <div key={pay.name} className="contents">
              <dt className="text-ink-3">{pay.name}</dt>
              <dd className="min-w-0 text-ink-2">{pay.text}</dd>
            </div>
          ))}
        </dl>
      ))}
    </details>
  );
}
