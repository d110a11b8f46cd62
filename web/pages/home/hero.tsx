import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useSite } from '#web/lib/pages/site.ts';
import type { Advert } from '#web/parts/adverts/advert.ts';
import { AdvertLink } from '#web/parts/adverts/reminder.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

/** Illustration in the distributor's hue: layered ridges, a low sun, an awning. */
export function Scene() {
  return (
    <svg
      viewBox="0 0 880 208"
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
      className="absolute inset-0 size-full"
    >
      <rect width="880" height="208" fill="var(--hero-sky)" />
      <circle className="hero-sun" cx="668" cy="78" r="40" fill="var(--hero-sun)" />
      <path
        d="M300 208c70-52 120-62 176-86 44-18 78-4 122 16 56 24 104-30 158-46 48-14 88 2 124 18v98z"
        fill="var(--hero-1)"
      />
      <path d="M380 208c62-16 94-56 148-58 60-2 84 32 138 16 50-14 96-46 214-24v66z" fill="var(--hero-2)" />
      <path d="M452 208c72-6 104-34 158-34 52 0 84 22 136 6 46-14 84-22 134-12v40z" fill="var(--hero-3)" />
      <path d="M540 208c64-4 112-22 166-20 62 2 104-18 174-14v34z" fill="var(--hero-4)" />
      <g fill="var(--hero-5)">
        <path d="M748 152h5v36h-5zM817 152h5v36h-5zM742 184h86v5h-86z" />
        <path d="M752 122h66l12 20H740z" opacity=".82" />
        <path d="M740 142h18a9 9 0 0 1-18 0zM758 142h18a9 9 0 0 1-18 0zM776 142h18a9 9 0 0 1-18 0zM794 142h18a9 9 0 0 1-18 0zM812 142h18a9 9 0 0 1-18 0z" />
        <path d="M764 168h16v16h-16zM784 160h22v24h-22z" opacity=".72" />
        <path d="M732 118l2-14 14-4M732 118v70h3v-70z" opacity=".7" />
      </g>
      <circle cx="750" cy="103" r="5" fill="var(--hero-lamp)" />
      <g
        fill="none"
        stroke="var(--hero-5)"
        strokeWidth="2"
        strokeLinecap="round"
        opacity=".5"
        className="birds max-xl:hidden"
      >
        <path d="M566 60q7-7 14 0q7-7 14 0M612 44q5-5 10 0q5-5 10 0" />
      </g>
    </svg>
  );
}

/** The adverts with pictures that stand in place of the hero: one at a time, which the visitor changes. */
export function Banners({ banners }: { banners: readonly Advert[] }) {
  const [chosen, choose] = useState(0);
  const advert = banners[chosen] ?? banners[0];
  if (!advert) return null;
  return (
    <section className="hero" aria-label="广告">
      <AdvertLink advert={advert} className="absolute inset-0 block">
        <img
          src={advert.picture ?? ''}
          width={1200}
          height={360}
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
        <span className="absolute inset-x-0 bottom-0 bg-veil px-4 py-2.5 text-16 font-semibold text-white">
          <span className="mr-2 text-12 font-normal opacity-80">广告</span>
          {advert.title}
        </span>
      </AdvertLink>
      {banners.length > 1 && (
        <span className="absolute right-3 bottom-2.5 flex gap-1.5">
          {banners.map(({ title }, n) => (
            <button
              key={title}
              type="button"
              aria-label={`第 ${n + 1} 张：${title}`}
              aria-pressed={n === chosen}
              className="size-6 rounded-tag border border-white/60 text-12 text-white aria-pressed:bg-white aria-pressed:text-black"
              onClick={() => choose(n)}
            >
              {n + 1}
            </button>
          ))}
        </span>
      )}
    </section>
  );
}

/** The hero of the home page: the brand's banners, else the market's promise and a link that explains one trade. */
export function Hero({ guideTo, banners }: { guideTo: string | null; banners: readonly Advert[] }) {
  const name = useSite()?.name;
  if (banners.length > 0)
    return (
      <>
        <h1 className="sr-only">{name}</h1>
        <Banners banners={banners} />
      </>
    );
  return (
    <section className="hero">
      <Scene />
      <div className="relative p-10 max-md:p-4 max-md:pt-5">
        <h1 className="text-28 leading-title font-bold tracking-[0.02em] text-brand-900 max-md:text-20">
          钱在平台，号到手再放款
        </h1>
        <p className="mt-2 text-brand-800 text-balance max-md:mt-1 max-md:max-w-52 max-md:text-12">
          买前看清总价、验号数据和资金去向
        </p>
        {guideTo && (
          <ButtonLink to={guideTo} kind="primary" className="mt-5 h-9! max-md:hidden">
            了解交易流程
            <ArrowRight className="icon" aria-hidden="true" />
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
