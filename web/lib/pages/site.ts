import { type MetaDescriptor, useRouteLoaderData } from 'react-router';
import type { loader } from '#web/root-loader.ts';

/** The site's data that every page has. */
export type Site = Awaited<ReturnType<typeof loader>>;

/** The site's name, theme and host; undefined only while the root itself has failed. */
export function useSite(): Site | undefined {
  return useRouteLoaderData<typeof loader>('root');
}

interface MetaArgs {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
  location: { pathname: string };
}

interface PageMeta {
  title?: string | undefined;
  description?: string | undefined;
  /** URL of a picture, absolute or relative to the root. */
  image?: string | undefined;
  /** Its width and height. */
  imageSize?: readonly [number, number];
  /** Path of the page's canonical URL, where it is also served at another one. */
  canonicalPath?: string | undefined;
  /** The whole canonical URL, where another site may have it. */
  canonicalUrl?: string | undefined;
  /** Query parameters that identify the page; all others are omitted from the canonical URL. */
  canonicalQuery?: string | undefined;
  ogType?: 'website' | 'article';
  noindex?: boolean;
  jsonLd?: readonly Record<string, unknown>[] | undefined;
}

/** Title, description, canonical URL and Open Graph of a page, under the name of the requested host's distributor. */
export function pageMeta({ matches, location }: MetaArgs, page: PageMeta): MetaDescriptor[] {
  const site = matches.find((match) => match?.id === 'root')?.loaderData as Site | undefined;
  const name = site?.name ?? '';
  const title = page.title ? `${page.title} - ${name}` : name;
  const description = page.description ?? site?.desc ?? '';
  const origin = site?.origin ?? '';
  const path = `${page.canonicalPath ?? location.pathname}${page.canonicalQuery ? `?${page.canonicalQuery}` : ''}`;
  const canonical = page.canonicalUrl ?? `${origin}${path}`;
  const image = page.image ? new URL(page.image, `${origin}/`).href : undefined;
  return [
    { title },
    { name: 'description', content: description },
    ...(page.title || !site?.keywords ? [] : [{ name: 'keywords', content: site.keywords }]),
    ...(page.noindex
      ? [{ name: 'robots', content: 'noindex' }]
      : [
          { tagName: 'link', rel: 'canonical', href: canonical },
          { property: 'og:title', content: page.title ?? name },
          { property: 'og:description', content: description },
          { property: 'og:site_name', content: name },
          { property: 'og:type', content: page.ogType ?? 'website' },
          { property: 'og:url', content: page.canonicalUrl === undefined ? canonical : `${origin}${path}` },
          { property: 'og:locale', content: 'zh_CN' },
          ...(image
            ? [
                { property: 'og:image', content: image },
                { name: 'twitter:card', content: 'summary_large_image' },
              ]
            : []),
          ...(page.imageSize ?? []).map((size, i) => ({
            property: i === 0 ? 'og:image:width' : 'og:image:height',
            content: String(size),
          })),
        ]),
    ...(page.jsonLd ?? []).map((thing) => ({ 'script:ld+json': thing }) as MetaDescriptor),
  ];
}
