import { CircleAlert, ShieldCheck } from 'lucide-react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { certificateCheck } from '#subjects/guarantees/contract/guarantee.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';

export const handle = { phone: { back: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '包赔证书', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const no = args.params.no ?? '';
  if (!/^[A-Za-z0-9]{8,24}$/.test(no)) notFound('没有这份证书');
  return { paper: await market(args).call(certificateCheck, { no }) };
}

type Paper = ReturnType<typeof useLoaderData<typeof loader>>['paper'];

function Validity({ paper }: { paper: Paper }) {
  const good = paper.genuine && (paper.state === 'live' || paper.state === 'claimed');
  const Icon = good ? ShieldCheck : CircleAlert;
  return (
    <p
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft px-5 py-4',
        good ? 'bg-safe-bg' : 'bg-attn-bg',
      )}
    >
      <Icon className={cx('icon size-6', good ? 'text-safe' : 'text-attn')} aria-hidden="true" />
      <b className="text-16 font-semibold">{paper.genuine ? paper.stateName : '内容与签发时不一致'}</b>
      <span className="text-13 text-ink-2">
        {paper.genuine
          ? `本站签发，内容未被改动；${paper.explain}。`
          : '这张证书的内容被改动过，不能作为凭证，请联系客服。'}
      </span>
    </p>
  );
}

/** A guarantee certificate, for anyone with its number: content, validity, and a QR code of this page. */
export default function CertificatePage() {
  const { paper } = useLoaderData<typeof loader>();
  const { body } = paper;
  const details = [
    ['保障', body.tierName],
    ['游戏', body.gameName],
    ['账号', body.title],
    ['持有人', `${body.holder}（第 ${body.holderSeq} 位）`],
    ['保障开始', fullAt(body.from)],
    ['签发时间', fullAt(paper.issueTime)],
  ] as const;
  return (
    <div className="mx-auto grid max-w-200 grid-cols-[minmax(0,1fr)] gap-4 py-4 md:py-6">
      <article className="panel overflow-hidden" aria-labelledby="paper">
        <Validity paper={paper} />
        <div className="grid gap-5 px-5 py-5 md:grid-cols-[minmax(0,1fr)_auto]">
          <div className="grid content-start gap-4">
            <h1 id="paper" className="text-20 font-semibold">
              账号包赔证书
            </h1>
            <dl className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 gap-y-2 text-14">
              {details.map(([name, value]) => (
                <div key={name} className="contents">
                  <dt className="text-ink-3">{name}</dt>
                  <dd className="break-words">{value}</dd>
                </div>
              ))}
              <dt className="text-ink-3">商品价</dt>
              <dd>
                <Amount yuan={body.price} />
              </dd>
              <dt className="text-ink-3">最多赔付</dt>
              <dd className="text-16 font-semibold">
                <Amount yuan={body.payoutMax} />
              </dd>
            </dl>
          </div>
          <figure className="grid content-start justify-items-center gap-2">
            <div className="rounded-control border border-line bg-white p-2">
              <img
                src={`data:image/svg+xml;utf8,${encodeURIComponent(paper.qrSvg)}`}
                width={132}
                height={132}
                alt="扫码核验这张证书"
              />
            </div>
            <figcaption className="text-12 text-ink-3">扫码核验</figcaption>
          </figure>
        </div>
        <div className="grid gap-1 border-t border-line-soft px-5 py-4 text-13 text-ink-2">
          <p>
            {body.coverText}。追索期 {body.chaseDays} 天。
          </p>
          {body.exclusions.map((sentence) => (
            <p key={sentence} className="text-ink-3">
              不赔：{sentence}。
            </p>
          ))}
        </div>
        <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line-soft px-5 py-3 text-12 text-ink-3">
          <span className="inline-flex gap-1">
            证书编号 <CopyButton text={paper.no} label="证书编号" />
          </span>
          <span>校验码 {paper.digest}</span>
        </p>
      </article>
      <p className="text-13 text-ink-3">
        账号在本站转手，保障跟着账号走并换发新证书。
        <Link to="/guarantee" className="link">
          查看包赔基金公示
        </Link>
      </p>
    </div>
  );
}
