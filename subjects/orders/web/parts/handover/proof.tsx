/** Evidence pictures; each opens in full size. */
export function Proof({ pictures }: { pictures: readonly { url: string; thumb: string }[] }) {
  if (pictures.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {pictures.map(({ url, thumb }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={thumb}
              width={72}
              height={52}
              alt={`凭证 ${index + 1}`}
              loading="lazy"
              className="h-13 w-18 rounded-tag object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
