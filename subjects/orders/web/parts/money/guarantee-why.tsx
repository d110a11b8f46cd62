/** The properties of a guarantee's rate that its explanation depends on. */
interface Rated {
  id: number;
  name: string;
  rateText: string;
  reasons: readonly string[];
  parts: readonly { label: string; share: string }[];
}

/**
 * How the rates on offer are computed: each component with its share, and the measurements as text. Collapsed by
 * default.
 */
export function GuaranteeWhy({ list }: { list: readonly Rated[] }) {
  const visible = list.filter(({ parts, reasons }) => parts.length > 0 || reasons.length > 0);
  if (visible.length === 0) return null;
  return (
    <details className="mt-2 text-12">
      <summary className="hit w-fit cursor-pointer text-link">费率说明</summary>
      <ul className="mt-2 grid gap-3 md:grid-cols-2">
        {visible.map((rated) => (
          <li key={rated.id} className="grid content-start gap-1 rounded-control border border-line-soft px-3 py-2">
            <p className="flex gap-2 font-medium">
              {rated.name}
              <span className="ml-auto tabular-nums">{rated.rateText}</span>
            </p>
            {rated.parts.map(({ label, share }) => (
              <p key={label} className="flex gap-2 text-ink-3">
                {label}
                <span className="ml-auto tabular-nums">{share}</span>
              </p>
            ))}
            {rated.reasons.map((reason) => (
              <p key={reason} className="text-ink-2">
                {reason}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
