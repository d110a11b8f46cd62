import { COMPANION_PLAY } from '../rules/order-types.ts';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { codes } from '#contract/codes.ts';
import { placeServiceOrder } from '#subjects/services/contract/services.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { GoodsSummary } from './parts/order/goods-line.tsx';
import ServiceBox, { type ServiceOffer } from '#subjects/services/web/parts/service/service-box.lazy.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { ConfirmData } from './confirm-loader.ts';
import { verifyPath } from './use-place-order.ts';

function checkedTexts({ area }: { area: string }) {
  return { area: area === '' ? '请填写您所在的区服' : undefined };
}

function Fees({ lines }: { lines: ServiceOffer['fees'] }) {
  return (
    <dl className="grid gap-1 border-t border-line-soft pt-3 text-13">
      {lines.map((line) => (
        <div key={line.label} className="flex justify-between">
          <dt className="text-ink-3" title={line.rule}>
            {line.label}
          </dt>
          <dd>
            <Amount yuan={line.amount} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The start of the service: at the chosen hour, after the play in progress, or immediately. */
function StartLine({
  start,
  isProlonging,
  error,
  to,
}: {
  start: string | null;
  isProlonging: boolean;
  error: Message | undefined;
  to: string;
}) {
  return (
    <div className="text-13">
      <p className="flex flex-wrap items-baseline gap-2">
        <span className="text-ink-3">开始时间</span>
        <b className="font-semibold">
          {isProlonging ? '这一段结束后接着玩' : start === null ? '接单后马上开始' : start.replace('T', ' ')}
        </b>
        {!isProlonging && (
          <Link to={to} className="link">
            {start === null ? '预约其他时间' : '换一个时间'}
          </Link>
        )}
      </p>
      <FormError>{error}</FormError>
    </div>
  );
}

/** Prerequisites: services require a verified adult. */
function NotYet({ isVerified }: { isVerified: boolean }) {
  return (
    <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="alert">
      {isVerified
        ? '根据国家规定，未满 18 周岁不能交易。'
        : '下单前需完成实名认证，约 1 分钟，信息加密保存；认证后回到本页继续下单。'}
    </p>
  );
}

/** The ordered item in the URL of this page: a user who returns from another page finds the same hours. */
const queryOf = ({ choice, start, prolongs }: ConfirmData): string =>
  `?goodsNum=${choice.goodsNum}${start === null ? '' : `&start=${start}`}${prolongs === null ? '' : `&prolongs=${prolongs}`}`;

/** The order form of a service: its region, the required information, and the price of each stage. */
export default function ServiceForm({ data, offer, base }: { data: ConfirmData; offer: ServiceOffer; base: string }) {
  const { goods, choice, start, prolongs, isVerified, isAdult } = data;
  const navigate = useNavigate();
  const [retry, setRetry] = useState(false);
  const { form, errors, busy, submit } = useMutation(placeServiceOrder, {
    draft: `service:${goods.goodsSn}`,
    fields: ['area', 'note', 'startTime'],
    check: checkedTexts,
    failed: (failure) => setRetry(isError(failure, codes.GOODS_CHANGED, codes.PRICE_CHANGED)),
    done: async ({ orderSn }) => {
      await navigate(`${base}/pay?orderSn=${orderSn}`, { replace: true });
      return true;
    },
  });
  const isCompanion = offer.typeId === COMPANION_PLAY;
  const read = (element: HTMLFormElement) => {
    const text = textsOf(element);
    return {
      goodsSn: goods.goodsSn,
      num: String(choice.goodsNum),
      goodsVersion: String(offer.goodsVersion),
      shownPrice: offer.total,
      area: text('area'),
      note: text('note'),
      ...(start !== null && { startTime: start }),
      ...(prolongs !== null && { prolongs }),
    };
  };
  const closedNow = start === null && prolongs === null ? (offer.companion?.closedNow ?? null) : null;
  const closed = offer.closed ?? closedNow;
  if (closed !== null)
    return (
      <EmptyState title={closed} action={<ButtonLink to={`/wares?gt=${offer.typeId}`}>看看其他套餐</ButtonLink>}>
        您还没有付款。
      </EmptyState>
    );
  return (
    <form ref={form} noValidate onSubmit={(event: FormEvent<HTMLFormElement>) => submit(read)(event)}>
      <GoodsSummary
        title={goods.bigTitle}
        gameName={goods.gameName}
        typeId={goods.goodsTypeId}
        typeName={goods.goodsTypeStr}
        thumbnail={goods.thumbnail}
        seed={goods.goodsSn}
        to={goods.pageUrl}
        className="px-4 py-4"
      >
        <p className="text-12 text-ink-3">
          {isCompanion ? '陪玩' : '打手'} {offer.provider.name}，<Amount yuan={offer.price} />/{offer.unit}，
          {choice.goodsNum}
          {offer.unit}
        </p>
      </GoodsSummary>
      <div className="px-4">
        <ServiceBox offer={offer} isPlaced />
      </div>
      <div className="grid gap-4 px-4 py-4">
        {isCompanion && (
          <StartLine start={start} isProlonging={prolongs !== null} error={errors.startTime} to={goods.pageUrl} />
        )}
        <Field
          label="区服"
          required
          error={errors.area}
          help={
            isCompanion
              ? '您用自己的账号玩，不用提供账号密码。'
              : '账号所在的大区和系统；账号密码在付款后用密封表单提交。'
          }
        >
          {(control) => <Input {...control} name="area" maxLength={40} placeholder="如 安卓微信区" />}
        </Field>
        <Field label="补充说明" error={errors.note}>
          {(control) => (
            <Textarea
              {...control}
              name="note"
              rows={2}
              maxLength={300}
              placeholder={isCompanion ? '如 常用位置、想练的英雄' : '如 常用英雄、不能动的皮肤'}
            />
          )}
        </Field>
        <Fees lines={offer.fees} />
        {!(isVerified && isAdult) && <NotYet isVerified={isVerified} />}
        <FormError>{errors.send}</FormError>
        {retry && (
          <ButtonLink to="" size="sm" reloadDocument>
            按新的内容重新确认
          </ButtonLink>
        )}
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="text-12 text-ink-3">
            {isCompanion
              ? '接单前可随时免费取消；开始后按实际分钟结算。'
              : '接单前可随时免费取消；接单后按已确认的进度结算。'}
          </p>
          <span className="flex items-center gap-3 max-md:w-full">
            <Price yuan={offer.total} size="lg" />
            {isVerified ? (
              <Button type="submit" kind="primary" size="lg" className="max-md:flex-1" busy={busy} disabled={!isAdult}>
                提交订单
              </Button>
            ) : (
              <ButtonLink to={verifyPath(base, queryOf(data))} kind="primary" size="lg" className="max-md:flex-1">
                去实名认证
              </ButtonLink>
            )}
          </span>
        </div>
      </div>
    </form>
  );
}
