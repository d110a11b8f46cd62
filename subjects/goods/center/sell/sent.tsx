import { CircleCheck } from 'lucide-react';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { type Step, Stepper } from '#web/ui/forms/stepper.tsx';

function stepsOf(reviewing: boolean, reviewText: string): Step[] {
  return [
    { title: reviewing ? '已提交' : '已生效', state: 'done', note: '可在我的商品里随时查看' },
    { title: '平台审核', state: reviewing ? 'now' : 'done', note: reviewText || '核对信息与图片，不通过会写明原因' },
    { title: '自动上架', state: reviewing ? 'plan' : 'done', note: '通过后立刻能被搜索到' },
    { title: '买家付款', state: 'plan', note: '货款由平台托管，交易群自动建立' },
    { title: '交付与到账', state: 'plan', note: '买家确认后，到手金额按期转入余额' },
  ];
}

/** Confirmation after submission, and what happens next. */
export function Sent({
  goodsSn,
  status,
  edited,
  again,
  reviewText,
}: {
  goodsSn: string;
  status: number;
  edited: boolean;
  /** URL of the same form for another listing; null after an edit. */
  again: string | null;
  /** Duration of recent reviews; empty when unknown. */
  reviewText: string;
}) {
  const reviewing = status === GoodsStatus.Reviewing;
  const title = reviewing ? (edited ? '修改已提交审核' : '已提交审核') : '修改已生效';
  return (
    <section className="panel grid gap-8 px-4 py-10 md:px-10" aria-labelledby="sent">
      <div className="grid justify-items-center gap-2 text-center">
        <CircleCheck className="icon size-10 text-safe" strokeWidth={1.5} aria-hidden="true" />
        <h1 id="sent" className="text-20 font-semibold" tabIndex={-1}>
          {title}
        </h1>
        <p className="flex items-center gap-1 text-13 text-ink-3">
          商品编号
          <CopyButton text={goodsSn} label="商品编号" className="font-semibold text-ink" />
        </p>
        <p className="max-w-120 text-13 text-ink-2">
          {reviewing
            ? '审核期间买家看不到这件商品；现在仍可修改，修改后按新内容审核。结果会显示在我的商品里。'
            : '价格和服务的改动不需要审核，买家现在看到的就是新内容。'}
        </p>
      </div>
      <Stepper steps={stepsOf(reviewing, reviewText)} label="接下来" />
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink to="/center/sellOutGoods" kind="primary">
          查看我的商品
        </ButtonLink>
        {again && <ButtonLink to={again}>再发一件同类商品</ButtonLink>}
        <ButtonLink to="/center/sell">发布其他商品</ButtonLink>
      </div>
    </section>
  );
}
