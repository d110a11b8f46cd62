interface Shown {
  url: string;
  thumb: string;
}

/** Thumbnails that open at full size; `name` describes each of them. */
export function Pictures({ pictures, name }: { pictures: readonly Shown[]; name: string }) {
  if (pictures.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {pictures.map(({ url, thumb }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={thumb}
              alt={`${name} ${index + 1}`}
              width={72}
              height={72}
              loading="lazy"
              className="size-18 rounded-control border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
