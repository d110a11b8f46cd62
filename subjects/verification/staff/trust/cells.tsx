/** Thumbnails of evidence; each opens at full size. */
export function Evidence({ pictures }: { pictures: readonly { url: string; thumb: string }[] }) {
  if (pictures.length === 0) return <span className="text-12 text-ink-3">无图片</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {pictures.map(({ url, thumb }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={thumb}
              width={56}
              height={40}
              alt={`凭证 ${index + 1}`}
              loading="lazy"
              className="h-10 w-14 rounded-tag border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
