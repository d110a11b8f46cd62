import { ChevronLeft, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ReviewGoods } from '#subjects/goods/contract/staff-review.ts';
import { Cover } from '../../web/parts/cover/cover.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

function Pictures({ goods }: { goods: ReviewGoods }) {
  const [at, setAt] = useState(0);
  const current = goods.pictures[at] ?? goods.pictures[0];
  if (!current) return <p className="rounded-control bg-sunken px-3 py-2.5 text-13 text-ink-2">卖家没有上传图片</p>;
  return (
    <div className="grid gap-2">
      <a href={current.url} target="_blank" rel="noreferrer" title="打开原图" className="relative block">
        <Picture
          key={current.url}
          src={current.url}
          alt={`第 ${at + 1} 张截图`}
          width={current.width}
          height={current.height}
          eager
          className="review-picture"
          fallback={<Cover seed={goods.goodsSn} />}
        />
        <span className="picture-count inline-flex items-center gap-1">
          {at + 1} / {goods.pictures.length}
          <ExternalLink className="icon size-3" aria-hidden="true" />
        </span>
      </a>
      {goods.pictures.length > 1 && (
        <div className="flex flex-wrap gap-2">
          {goods.pictures.map(({ thumb, url }, i) => (
            <button
              key={url}
              type="button"
              aria-label={`看第 ${i + 1} 张`}
              aria-pressed={i === at}
              className={`rounded-control border-2 ${i === at ? 'border-act' : 'border-transparent'}`}
              onClick={() => setAt(i)}
            >
              <Picture src={thumb} alt="" width={72} height={48} className="w-18" fallback={<Cover seed={url} />} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function SellerLine({ seller }: { seller: ReviewGoods['seller'] }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-sunken px-3 py-2.5">
      <Avatar name={seller.nickName} src={seller.avatar} size={32} />
      <span className="grid">
        <UserLink id={seller.sellerId} className="font-medium">
          {seller.nickName}
        </UserLink>
        <span className="text-12 text-ink-3">
          {seller.level} 级卖家，卖出 {seller.soldNum} 件{seller.goodRate !== null && `，好评 ${seller.goodRate}%`}
        </span>
      </span>
      <span className="ml-auto text-12 text-ink-3">{fullAt(seller.joinTime).slice(0, 10)} 注册</span>
    </div>
  );
}

function Head({ goods }: { goods: ReviewGoods }) {
  return (
    <header className="grid gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        {goods.flags.map(({ text, tone }) => (
          <Tag key={text} {...(tone && { tone })}>
            {text}
          </Tag>
        ))}
      </div>
      <h2 className="text-16 font-semibold">
        <TypeTag typeId={goods.goodsTypeId} name={goods.goodsTypeName} className="mr-2 align-[2px]" />
        {goods.bigTitle}
      </h2>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-3">
        <CopyButton text={goods.goodsSn} label="商品编号" />
        <span>
          {goods.gameName}
          {goods.areaText && ` · ${goods.areaText}`}
        </span>
        <span>{fullAt(goods.submitTime)} 提交</span>
      </p>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <Price yuan={goods.price} size="lg" />
        <span className="text-12 text-ink-2">
          {goods.stock > 1 ? `库存 ${goods.stock}，` : ''}
          {goods.bargainOpen ? '可议价' : '不议价'}，{goods.ensureOpen ? '支持包赔' : '不支持包赔'}
        </span>
      </p>
    </header>
  );
}

/** The text that the contact filter masked, for the reviewer only. */
function Findings({ findings }: Pick<ReviewGoods, 'findings'>) {
  if (findings.length === 0) return null;
  return (
    <section
      aria-label="含联系方式的原文"
      className="grid gap-2 rounded-control border border-danger-line bg-danger-bg px-3 py-2.5"
    >
      <h3 className="font-medium text-danger">含联系方式：以下原句不会公开，仅审核可见</h3>
      {findings.map(({ label, original, sentences }) => (
        <div key={label} className="grid gap-1 text-13">
          <p className="text-12 text-ink-3">{label}原文</p>
          <p className="break-all whitespace-pre-line">{original}</p>
          <p className="break-all">
            <span className="text-ink-3">已删去：</span>
            {sentences.map((sentence) => (
              <mark key={sentence} className="mr-1 bg-danger-bg font-medium text-danger">
                {sentence}
              </mark>
            ))}
          </p>
        </div>
      ))}
    </section>
  );
}

/** A listing as a buyer would see it, with everything that staff compare. */
export function ReviewBody({ goods }: { goods: ReviewGoods }) {
  return (
    <>
      <Head goods={goods} />
      {goods.lastReason && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-attn">
          上次驳回原因：{goods.lastReason}
        </p>
      )}
      <Findings findings={goods.findings} />
      <Pictures goods={goods} />
      {goods.attrs.length > 0 && (
        <dl className="admin-facts" aria-label="商品属性">
          {goods.attrs.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <section aria-label="卖家描述">
        <h3 className="mb-1 text-12 text-ink-3">卖家描述</h3>
        <p className="whitespace-pre-line text-13 leading-loose">{goods.description || '（没有填写）'}</p>
      </section>
      <SellerLine seller={goods.seller} />
    </>
  );
}

/** One listing as a buyer would see it, with everything that a reviewer compares, and the two decisions at the foot. */
export function ReviewDetail({
  goods,
  backTo,
  onApprove,
  onReject,
}: {
  goods: ReviewGoods;
  backTo: string;
  onApprove: () => void;
  onReject: () => void;
}) {
  return (
    <article className="panel admin-detail" aria-label={`审核 ${goods.bigTitle}`}>
      <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2 lg:hidden">
        <Link to={backTo} className="inline-flex items-center gap-1 text-13 text-ink-2" preventScrollReset>
          <ChevronLeft className="icon" aria-hidden="true" />
          返回队列
        </Link>
      </div>
      <div className="admin-scroll grid gap-4 p-4">
        <ReviewBody goods={goods} />
      </div>
      <footer className="mt-auto flex flex-wrap items-center gap-2 border-t border-line-soft bg-panel px-4 py-3 max-lg:sticky max-lg:bottom-0">
        <span className="text-12 text-ink-3 max-md:hidden">
          通过 5 秒后上架并可搜到，其间可以撤销；驳回原因会显示给卖家
        </span>
        <span className="ml-auto flex gap-2 max-md:w-full">
          <Button kind="danger" onClick={onReject} className="max-md:flex-1">
            驳回 <span className="kbd max-md:hidden">R</span>
          </Button>
          <Button kind="primary" onClick={onApprove} className="max-md:flex-1">
            通过 <span className="kbd max-md:hidden">A</span>
          </Button>
        </span>
      </footer>
    </article>
  );
}
