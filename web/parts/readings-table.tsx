/** An account's data as read by staff next to the seller's entries; rows that differ are marked. */
export function ReadingsTable({
  readings,
}: {
  readings: readonly { key: string; label: string; said: string; found: string; differs: boolean }[];
}) {
  return (
    <table className="admin-table">
      <thead>
        <tr>
          <th scope="col">项目</th>
          <th scope="col">卖家填写</th>
          <th scope="col">客服读到</th>
        </tr>
      </thead>
      <tbody>
        {readings.map((r) => (
          <tr key={r.key} className={r.differs ? 'bg-attn-bg' : undefined}>
            <td className="whitespace-nowrap">{r.label}</td>
            <td>{r.said || '没有填写'}</td>
            <td>
              {r.found || '没有'}
              {r.differs && <span className="ml-2 text-12 text-attn">不同</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Small pictures of proof, each linked to the full size. */
export function ProofPictures({
  pictures,
  label,
}: {
  pictures: readonly { url: string; thumb: string }[];
  label: string;
}) {
  if (pictures.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2" aria-label={label}>
      {pictures.map(({ url, thumb }, i) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={thumb}
              alt={`${label} ${i + 1}`}
              width={96}
              height={64}
              loading="lazy"
              className="h-16 w-24 rounded-control border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
