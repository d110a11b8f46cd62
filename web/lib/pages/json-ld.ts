/** Structured data for search engines (schema.org), made by loaders, so that no script carries it. */
const SCHEMA = 'https://schema.org';

interface Listed {
  bigTitle: string;
  pageUrl: string;
}

/** The listings of a page of a list, in its order. */
export const itemListLd = (origin: string, goods: readonly Listed[]): Record<string, unknown> => ({
  '@context': SCHEMA,
  '@type': 'ItemList',
  itemListElement: goods.map(({ bigTitle, pageUrl }, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name: bigTitle,
    url: `${origin}${pageUrl}`,
  })),
});

/** The site and who runs it, with its mark as a raster picture. */
export function organizationLd(site: { origin: string; name: string; desc: string; phone: string }) {
  const { origin, name, desc, phone } = site;
  return [
    {
      '@context': SCHEMA,
      '@type': 'Organization',
      name,
      url: origin,
      logo: `${origin}/art/app/512.png`,
      ...(phone !== '' && {
        contactPoint: { '@type': 'ContactPoint', contactType: 'customer service', telephone: phone },
      }),
    },
    {
      '@context': SCHEMA,
      '@type': 'WebSite',
      name,
      url: origin,
      description: desc,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${origin}/wares?keyWord={keyWord}`,
        'query-input': 'required name=keyWord',
      },
    },
  ];
}
