import { Link } from 'react-router';
import type { Block } from '#subjects/content/contract/content.ts';
import { jumpPath } from '#web/lib/pages/external-link.ts';

/** A link to another site goes through the warning page; internal links are plain links. */
function ArticleLink({ text, url }: { text: string; url: string }) {
  if (!/^https?:/.test(url))
    return (
      <Link to={url} className="link">
        {text}
      </Link>
    );
  return (
    <a href={jumpPath(url)} target="_blank" rel="noopener nofollow" className="link">
      {text}
    </a>
  );
}

/** Combines consecutive list items into one list. */
function grouped(blocks: readonly Block[]): (Block | { t: 'list'; items: string[] })[] {
  const out: (Block | { t: 'list'; items: string[] })[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (block.t !== 'li') out.push(block);
    else if (last?.t === 'list') last.items.push(block.text);
    else out.push({ t: 'list', items: [block.text] });
  }
  return out;
}

/** Renders an article: every block is plain text that React escapes, so none of it is ever markup. */
export function Article({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="article">
      {grouped(blocks).map((block, n) => {
        const key = `${n}${block.t}`;
        switch (block.t) {
          case 'h':
            return <h2 key={key}>{block.text}</h2>;
          case 'list':
            return (
              <ul key={key}>
                {block.items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            );
          case 'quote':
            return <blockquote key={key}>{block.text}</blockquote>;
          case 'img':
            return <img key={key} src={block.url} alt={block.alt} width={720} height={405} loading="lazy" />;
          case 'link':
            return (
              <p key={key}>
                <ArticleLink text={block.text} url={block.url} />
              </p>
            );
          default:
            return <p key={key}>{block.text}</p>;
        }
      })}
    </div>
  );
}
