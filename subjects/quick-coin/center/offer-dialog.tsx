import { type FormEvent, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import {
  createQuickCoin,
  type getShopQuickCoinInfo,
  type selfPublishQuickCoinList,
  updateQuickCoin,
} from '#subjects/quick-coin/contract/quick-coin.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Area } from '#subjects/games/web/parts/games/catalogue.ts';
import { type Errors, textsOf } from '#web/lib/forms/form-values.ts';
import {
  DeliveryChoice,
  GameAndArea,
  isLotPrice,
  OfferEnd,
  RatioPreview,
  integerError,
} from '../web/parts/coin/offer-fields.tsx';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Games = Data<typeof getShopQuickCoinInfo>['coinGames'];
export type OwnOffer = Data<typeof selfPublishQuickCoinList>['list'][number];

const LABELS = {
  areaId: '大区',
  lotUnits: '每份数量',
  lotPrice: '每份价格',
  stock: '库存',
  minNum: '起购份数',
  maxNum: '最多份数',
  shipMinutes: '发货时间',
  bigTitle: '标题',
  note: '说明',
};

function checked(text: (name: string) => string, delivery: readonly number[], isNew: boolean): Errors {
  const integerErrors = (name: keyof typeof LABELS, min: number, max: number): Errors =>
    integerError(name, LABELS[name], text(name), min, max);
  return {
    ...(isNew && text('areaId') === '' && { areaId: '请选择大区' }),
    ...integerErrors('lotUnits', 1, 1_000_000_000),
    ...(!isLotPrice(text('lotPrice')) && { lotPrice: '每份价格应为正数，最多两位小数' }),
    ...integerErrors('stock', 0, 1_000_000),
    ...integerErrors('minNum', 1, 100_000),
    ...integerErrors('maxNum', 1, 100_000),
    ...(Number(text('maxNum')) < Number(text('minNum')) && { maxNum: '最多份数不能小于起购份数' }),
    ...integerErrors('shipMinutes', 5, 1440),
    ...(delivery.length === 0 && { delivery: '请选择交货方式' }),
  };
}

/** The terms as entered. */
function termsOf(text: (name: string) => string, delivery: readonly number[]) {
  return {
    lotUnits: text('lotUnits'),
    lotPrice: text('lotPrice'),
    stock: text('stock'),
    minNum: text('minNum'),
    maxNum: text('maxNum'),
    delivery: [...delivery],
    shipMinutes: text('shipMinutes'),
    bigTitle: text('bigTitle'),
    note: text('note'),
  };
}

/** Server and camp of an offer; one without a server covers its whole area. */
function ServerAndCamp({ area }: { area: Area | undefined }) {
  const servers = area?.secondOptions ?? [];
  return (
    <>
      <Field label="服务器">
        {(control) => (
          <Select {...control} name="serverId" disabled={servers.length === 0}>
            <option value="">全区通用</option>
            {servers.map((s) => (
              <option key={s.twoSpecialId} value={s.twoSpecialId}>
                {s.twoSpecialName}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="阵营">{(control) => <Input {...control} name="camp" maxLength={20} placeholder="如 部落" />}</Field>
    </>
  );
}

/** Editor of an offer: region and unit of a new one, terms of either; the ratio is computed while typing. */
export function OfferDialog({
  games,
  offer,
  onClose,
  onDone,
}: {
  games: Games;
  offer: OwnOffer | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const [gameId, setGame] = useState(offer?.gameId ?? games[0]?.gameId ?? 0);
  const [delivery, setDelivery] = useState<readonly number[]>(offer?.delivery.map(({ id }) => id) ?? [1]);
  const [lot, setLot] = useState({ units: String(offer?.lotUnits ?? ''), price: offer?.lotPrice ?? '' });
  const unit = offer?.unit ?? games.find((g) => g.gameId === gameId)?.unit ?? '金币';
  const { form, errors, busy, setErrors, send } = useMutation(
    (text: ReturnType<typeof textsOf>, options) => {
      const terms = termsOf(text, delivery);
      return offer
        ? call(updateQuickCoin, { quickCoinSn: offer.quickCoinSn, ...terms }, options)
        : call(
            createQuickCoin,
            { gameId, areaId: text('areaId'), serverId: text('serverId'), camp: text('camp'), unit, ...terms },
            options,
          );
    },
    {
      ...(offer === null && { draft: 'coin-offer' }),
      fields: [...Object.keys(LABELS), 'areaId', 'delivery'],
      done: () => {
        toast(offer ? '报价已保存' : '报价已上架', 'ok');
        onDone();
      },
    },
  );

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong = checked(text, delivery, offer === null);
    if (Object.keys(wrong).length > 0) setErrors(wrong);
    else void send(text);
  };
  const field = (name: keyof typeof LABELS, value: string | number, help?: string) => (
    <Field label={LABELS[name]} required error={errors[name]} help={help}>
      {(control) => <Input {...control} name={name} inputMode="decimal" autoComplete="off" defaultValue={value} />}
    </Field>
  );
  return (
    <Dialog title={offer ? '修改报价' : '发布报价'} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit}>
        {offer ? (
          <p className="text-13 text-ink-2">
            {[offer.gameName, offer.areaName, offer.serverName, offer.camp].filter(Boolean).join(' ')}，单位{offer.unit}
          </p>
        ) : (
          <GameAndArea games={games} gameId={gameId} onGame={setGame} error={errors.areaId}>
            {(area) => <ServerAndCamp area={area} />}
          </GameAndArea>
        )}
        <div className="grid grid-cols-2 gap-3">
          <Field label={`每份数量（${unit}）`} required error={errors.lotUnits}>
            {(control) => (
              <Input
                {...control}
                name="lotUnits"
                inputMode="numeric"
                value={lot.units}
                onChange={(event) => setLot({ ...lot, units: event.target.value })}
              />
            )}
          </Field>
          <Field label="每份价格（元）" required error={errors.lotPrice}>
            {(control) => (
              <Input
                {...control}
                name="lotPrice"
                inputMode="decimal"
                value={lot.price}
                onChange={(event) => setLot({ ...lot, price: event.target.value })}
              />
            )}
          </Field>
        </div>
        <RatioPreview lotUnits={lot.units} lotPrice={lot.price} unit={unit} />
        <div className="grid grid-cols-2 gap-3">
          {field('stock', offer?.stock ?? 100, '可卖份数')}
          {field('shipMinutes', offer?.shipMinutes ?? 30, '付款后几分钟内发货，5 到 1440')}
          {field('minNum', offer?.minNum ?? 1)}
          {field('maxNum', offer?.maxNum ?? 1000)}
        </div>
        <DeliveryChoice chosen={delivery} error={errors.delivery} onChange={setDelivery} />
        <Field label="标题" error={errors.bigTitle} help="不填则由游戏、大区和每份数量组成。">
          {(control) => (
            <ContactWatch initial={offer?.bigTitle}>
              <Input {...control} name="bigTitle" maxLength={60} defaultValue={offer?.bigTitle ?? ''} />
            </ContactWatch>
          )}
        </Field>
        <Field label="说明" error={errors.note}>
          {(control) => (
            <ContactWatch initial={offer?.note}>
              <Textarea {...control} name="note" maxLength={300} rows={2} defaultValue={offer?.note ?? ''} />
            </ContactWatch>
          )}
        </Field>
        <OfferEnd error={errors.send} busy={busy} submitLabel={offer ? '保存' : '上架'} />
      </form>
    </Dialog>
  );
}
