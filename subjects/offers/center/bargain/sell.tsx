import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { SELLS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { BargainPage } from './bargain-page.tsx';
import { loadBargains } from './bargain-query.ts';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '收到的议价', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await loadBargains(args, SELLS);
}

/** Bargains that the user has received. */
export default function SellBargainPage() {
  return <BargainPage data={useLoaderData<typeof loader>()} />;
}
