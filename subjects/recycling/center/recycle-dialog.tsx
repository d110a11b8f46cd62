import { type FormEvent, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type coinRecycleList, type getRecyclerInfo, saveCoinRecycle } from '#subjects/recycling/contract/recycling.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { type Errors, textsOf, integerOf } from '#web/lib/forms/form-values.ts';
import {
  DeliveryChoice,
  GameAndArea,
  isLotPrice,
  OfferEnd,
  RatioPreview,
  integerError,
} from '#subjects/quick-coin/web/parts/coin/offer-fields.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export type RecycleOffer = Data<typeof coinRecycleList>['list'][number];
type Info = Data<typeof getRecyclerInfo>;

const LABELS = {
  areaId: '大区',
  lotUnits: '每份数量',
  lotPrice: '每份价格',
  wantedNum: '收购份数',
  minNum: '起收份数',
};

function checked(text: (name: string) => string, delivery: readonly number[], isNew: boolean): Errors {
  const integerErrors = (name: keyof typeof LABELS, min: number, max: number): Errors =>
    integerError(name, LABELS[name], text(name), min, max);
  return {
    ...(isNew && text('areaId') === '' && { areaId: '请选择大区' }),
    ...integerErrors('lotUnits', 1, 1_000_000_000),
    ...(!isLotPrice(text('lotPrice')) && { lotPrice: '每份价格应为正数，最多两位小数' }),
    ...integerErrors('wantedNum', 0, 100_000),
    ...integerErrors('minNum', 1, 100_000),
    ...(Number(text('minNum')) > Number(text('wantedNum')) &&
      Number(text('wantedNum')) > 0 && { minNum: '起收份数不能大于收购份数' }),
    ...(delivery.length === 0 && { delivery: '请选择交货方式' }),
  };
}

/** The total cost with the fee, next to the balance from which sellers are paid. */
function Cost({ info, lots, price }: { info: Info; lots: string; price: string }) {
  const num = integerOf(lots, 1, 100_000);
  if (num === null || !isLotPrice(price)) return null;
  const goods = fenOf(price) * num;
  const all = goods + feeOf(goods, info.serviceFeeBp);
  const balance = fenOf(info.recycler?.balance ?? '0.00');
  return (
    <p className="text-13 text-ink-2" aria-live="polite">
      全部收满需 <Amount yuan={yuanOf(all)} />
      （含服务费），当前余额 <Amount yuan={yuanOf(balance)} />
      {all > balance && <span className="ml-1 text-attn">余额用完后卖家不能下单</span>}
    </p>
  );
}

function useSave(offer: RecycleOffer | null, onDone: () => void) {
  const { form, errors, busy, setErrors, send } = useMutation(saveCoinRecycle, {
    ...(offer === null && { draft: 'coin-recycle' }),
    fields: [...Object.keys(LABELS), 'gameId', 'areaId', 'delivery'],
    done: () => {
      toast(offer ? '报价已保存' : '报价已发布', 'ok');
      onDone();
    },
  });
  const save = (event: FormEvent<HTMLFormElement>, gameId: number, delivery: readonly number[]) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong = checked(text, delivery, offer === null);
    if (Object.keys(wrong).length > 0) return setErrors(wrong);
    void send({
      ...(offer ? { offerSn: offer.offerSn } : { gameId, areaId: text('areaId') }),
      lotUnits: text('lotUnits'),
      lotPrice: text('lotPrice'),
      wantedNum: text('wantedNum'),
      minNum: text('minNum'),
      delivery: [...delivery],
    });
  };
  return { form, errors, busy, save };
}

/** Editor of a recycler's offer: price and quantity; the ratio and the total cost are computed while typing. */
export function RecycleDialog({
  info,
  offer,
  onClose,
  onDone,
}: {
  info: Info;
  offer: RecycleOffer | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const games = info.coinGames.filter((g) => info.recycler?.games.some(({ gameId }) => gameId === g.gameId) ?? false);
  const served = games.length > 0 ? games : info.coinGames;
  const [gameId, setGame] = useState(offer?.gameId ?? served[0]?.gameId ?? 0);
  const [delivery, setDelivery] = useState<readonly number[]>(offer?.delivery.map(({ id }) => id) ?? [1]);
  const [typed, setTyped] = useState({
    lotUnits: String(offer?.lotUnits ?? ''),
    lotPrice: offer?.lotPrice ?? '',
    wantedNum: String(offer?.wantedNum ?? 50),
    minNum: String(offer?.minNum ?? 1),
  });
  const { form, errors, busy, save } = useSave(offer, onDone);
  const unit = offer?.unit ?? served.find((g) => g.gameId === gameId)?.unit ?? '金币';
  const field = (name: keyof typeof typed, label: string, help?: string) => (
    <Field label={label} required error={errors[name]} help={help}>
      {(control) => (
        <Input
          {...control}
          name={name}
          inputMode={name === 'lotPrice' ? 'decimal' : 'numeric'}
          autoComplete="off"
          value={typed[name]}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog title={offer ? '修改回收报价' : '发布回收报价'} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={(event) => save(event, gameId, delivery)}>
        {offer ? (
          <p className="text-13 text-ink-2">
            {offer.gameName} {offer.areaName}，单位{offer.unit}
          </p>
        ) : (
          <GameAndArea games={served} gameId={gameId} onGame={setGame} error={errors.areaId ?? errors.gameId} />
        )}
        <div className="grid grid-cols-2 gap-3">
          {field('lotUnits', `每份数量（${unit}）`)}
          {field('lotPrice', '每份价格（元）', '卖家看到的是扣除佣金后的到手价')}
        </div>
        <RatioPreview lotUnits={typed.lotUnits} lotPrice={typed.lotPrice} unit={unit} />
        <div className="grid grid-cols-2 gap-3">
          {field('wantedNum', '收购份数', '还要收多少份')}
          {field('minNum', '起收份数', '卖家一次至少卖几份')}
        </div>
        <Cost info={info} lots={typed.wantedNum} price={typed.lotPrice} />
        <DeliveryChoice chosen={delivery} error={errors.delivery} onChange={setDelivery} />
        <OfferEnd error={errors.send} busy={busy} submitLabel={offer ? '保存' : '发布'} />
      </form>
    </Dialog>
  );
}
