import type { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import type { Data } from '#contract/endpoint.ts';
import { Tag } from '#web/ui/tag.tsx';
import { AdvertLink } from './reminder.tsx';

/** Adverts of a game's pages as one line of text with their pictures, labelled as adverts. */
export function AdvertStrip({ adverts }: { adverts: Data<typeof getDistGamedsAdverList>['list'] }) {
  if (adverts.length === 0) return null;
  return (
    <aside aria-label="广告" className="mb-2 max-md:my-0.5">
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-13 max-md:gap-y-0">
        {adverts.map((advert) => (
          <li key={advert.id} className="flex min-w-0 items-baseline gap-1.5 max-md:items-center max-md:leading-10">
            <Tag>广告</Tag>
            {advert.picture && (
              <img
                src={`${advert.picture}?w=320`}
                width={96}
                height={32}
                alt=""
                loading="lazy"
                className="h-8 w-24 flex-none self-center rounded-tag object-cover"
              />
            )}
            <AdvertLink advert={advert} className="truncate hover:text-link">
              {advert.title}
            </AdvertLink>
          </li>
        ))}
      </ul>
    </aside>
  );
}
