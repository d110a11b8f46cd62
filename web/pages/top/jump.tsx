import { ExternalLink, ShieldAlert } from 'lucide-react';
import { useEffect } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { externalLinkOf } from '#web/lib/pages/external-link.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { buttonClass, ButtonLink } from '#web/ui/button.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '离开本站', noindex: true });
}

/** URLs in the distributor's configuration: partners, certificates, adverts, footer links. */
function isConfigured(url: string, { brand }: ReturnType<typeof market>): boolean {
  const named = [
    ...brand.notifBits.map((link) => link.url),
    ...brand.treeMenuButMap.pc1.map((link) => link.url),
    ...brand.botQuals.map((link) => link.htUrl),
    ...Object.values(brand.adverPosMap).flatMap((adverts) => adverts.map((advert) => advert.htUrl)),
  ];
  return named.includes(url);
}

export function loader(args: LoaderFunctionArgs) {
  const site = market(args);
  const urlParam = args.url.searchParams.get('url');
  const target = externalLinkOf(urlParam, site.host);
  if (target?.kind === 'inside') return redirect(target.path);
  if (!target) return { target: null };
  return { target: { url: target.url, host: target.host, known: isConfigured(urlParam ?? '', site) } };
}

function Broken() {
  useEffect(() => console.warn('链接异常'), []);
  return (
    <>
      <h1 className="text-16 font-semibold">链接异常</h1>
      <p className="text-13 text-ink-2">这个链接不是网页地址，不能打开。</p>
      <ButtonLink to="/" kind="primary" size="lg" className="w-full">
        回到首页
      </ButtonLink>
    </>
  );
}

/**
 * The page before external links. It names the target and never redirects by itself, and only URLs in the site's own configuration are
 * links, so that it is not an open redirect.
 */
export default function JumpPage() {
  const { target } = useLoaderData<typeof loader>();
  return (
    <section className="panel grid w-full max-w-120 justify-items-center gap-4 p-6 text-center">
      <ShieldAlert className="icon size-10 text-attn" strokeWidth={1.25} aria-hidden="true" />
      {target ? (
        <>
          <h1 className="text-16 font-semibold">{target.known ? '您将离开本站，前往' : '这个链接指向站外'}</h1>
          <p className="w-full rounded-control bg-sunken px-3 py-2.5">
            <b className="block text-16">{target.host}</b>
            <span className="mt-1 block text-12 break-all text-ink-3">{target.url}</span>
          </p>
          <p className="text-13 text-ink-2">
            {target.known
              ? '这是本站登记的合作链接。请不要在站外付款，也不要透露密码和验证码。'
              : '这个网站不是本站的合作方，不能从这里打开。请不要在那里付款，也不要输入本站的密码和验证码；自称客服让您站外交易的都是骗子。'}
          </p>
          <div className="grid w-full gap-2">
            <ButtonLink to="/" kind="primary" size="lg">
              留在本站
            </ButtonLink>
            {target.known && (
              <a href={target.url} rel="noopener noreferrer nofollow" className={buttonClass({ size: 'lg' })}>
                <ExternalLink className="icon" aria-hidden="true" />
                继续前往
              </a>
            )}
          </div>
        </>
      ) : (
        <Broken />
      )}
    </section>
  );
}
