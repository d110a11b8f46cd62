import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { claimDetail, coverDetail, coverList } from '#subjects/guarantees/contract/guarantee.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ClaimPage } from './guarantee/claim.tsx';
import { CoverPage } from './guarantee/cover.tsx';
import { Covers } from './guarantee/list.tsx';

export const handle = {
  crumb: (data: unknown) => {
    const { mode } = data as { mode: string };
    if (mode === 'list') return undefined;
    return { under: '/center/buyGuarantee', name: mode === 'claim' ? '理赔进度' : '包赔详情' };
  },
};

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的包赔', noindex: true });
}

/** The list of covers; with a claim number its progress; with a cover number the cover and its claim form. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const now = new Date().toISOString();
  const claimSn = query.get('claimSn');
  if (claimSn) return { mode: 'claim' as const, now, claim: await call(claimDetail, { claimSn }) };
  const coverId = query.get('coverId');
  if (coverId) {
    if (!/^\d{1,15}$/.test(coverId)) return notFound('没有这份保障');
    return { mode: 'cover' as const, now, cover: await call(coverDetail, { coverId: Number(coverId) }) };
  }
  const state = query.get('state') === 'ended' ? ('ended' as const) : ('live' as const);
  return { mode: 'list' as const, now, state, first: await call(coverList, { state, pageSize: 20 }) };
}

/** Guarantees that the viewer bought or acquired, with their claims. */
export default function GuaranteePage() {
  const data = useLoaderData<typeof loader>();
  if (data.mode === 'claim') return <ClaimPage key={data.claim.claimSn} claim={data.claim} now={data.now} />;
  if (data.mode === 'cover') return <CoverPage key={data.cover.coverId} cover={data.cover} now={data.now} />;
  return <Covers first={data.first} state={data.state} now={data.now} />;
}
