import { type ReactNode, useEffect, useState } from 'react';
import { deliveryNames } from '#contract/rules/catalogue.ts';
import { ratioText, unitPriceText, unitsPerYuan } from '../../../rules/coin.ts';
import { type Area, loadAreas } from '#subjects/games/web/parts/games/catalogue.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Select, withChoice } from '#web/ui/forms/input.tsx';
import { type Errors, integerOf } from '#web/lib/forms/form-values.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';

/** Whether a text is a valid price of a lot: a positive amount in yuan below a million. */
export function isLotPrice(text: string): boolean {
  return /^(0|[1-9]\d{0,5})(\.\d{1,2})?$/.test(text) && fenOf(text) > 0;
}

/** The message for a number that is not whole or out of bounds; nothing for a valid one. */
export function integerError(name: string, label: string, text: string, min: number, max: number): Errors {
  return integerOf(text, min, max) === null ? { [name]: `${label}应为 ${min} 到 ${max} 的整数` } : {};
}

/** Shows the ratio as the other party will see it, as soon as it can be computed. */
export function RatioPreview({ lotUnits, lotPrice, unit }: { lotUnits: string; lotPrice: string; unit: string }) {
  const [units, fen] = [integerOf(lotUnits, 1, 1_000_000_000), fenOf(lotPrice)];
  if (units === null || fen <= 0) return <p className="text-12 text-ink-3">填好每份数量和价格后显示比例。</p>;
  const perYuan = unitsPerYuan(units, fen);
  return (
    <p className="text-13" aria-live="polite">
      <b className="font-semibold">{ratioText(perYuan, unit)}</b>
      <span className="ml-2 text-ink-3">{unitPriceText(perYuan, unit)}</span>
    </p>
  );
}

/** The market of an offer: game and area; `children` receives the chosen area for the fields beside it. */
export function GameAndArea({
  games,
  gameId,
  onGame,
  error,
  children,
}: {
  games: readonly { gameId: number; name: string }[];
  gameId: number;
  onGame: (id: number) => void;
  error: Message | undefined;
  children?: (area: Area | undefined) => ReactNode;
}) {
  // null when they could not be loaded.
  const [areas, setAreas] = useState<readonly Area[] | null>([]);
  const [round, setRound] = useState(0);
  const [areaId, setArea] = useState('');
  useEffect(() => {
    let stays = true;
    void loadAreas(gameId, round > 0).then((list) => stays && setAreas(list));
    return () => {
      stays = false;
    };
  }, [gameId, round]);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="游戏" required>
        {(control) => (
          <Select
            {...control}
            value={gameId}
            onChange={(event) => {
              onGame(Number(event.target.value));
              setAreas([]);
              setRound(0);
              setArea('');
            }}
          >
            {games.map((g) => (
              <option key={g.gameId} value={g.gameId}>
                {g.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="大区" required error={areas === null ? '大区没有加载出来' : error}>
        {(control) =>
          areas === null ? (
            <Button
              id={control.id}
              aria-label="重新加载大区"
              onClick={() => {
                setAreas([]);
                setRound(round + 1);
              }}
            >
              重新加载
            </Button>
          ) : (
            <Select {...control} name="areaId" value={areaId} onChange={(event) => setArea(event.target.value)}>
              <option value="">请选择</option>
              {areas.map((a) => (
                <option key={a.specialId} value={a.specialId}>
                  {a.specialName}
                </option>
              ))}
            </Select>
          )
        }
      </Field>
      {children?.(areas?.find((a) => String(a.specialId) === areaId))}
    </div>
  );
}

/** Delivery methods, at least one. */
export function DeliveryChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly number[];
  error: Message | undefined;
  onChange: (ids: readonly number[]) => void;
}) {
  return (
    <FieldGroup legend="交货方式" error={error}>
      {(isInvalid) => (
        <span className="flex flex-wrap gap-4">
          {Object.entries(deliveryNames).map(([key, name]) => {
            const id = Number(key);
            return (
              <Checkbox
                key={id}
                checked={chosen.includes(id)}
                aria-invalid={isInvalid}
                onChange={(event) => onChange(withChoice(chosen, id, event.target.checked))}
              >
                {name}
              </Checkbox>
            );
          })}
        </span>
      )}
    </FieldGroup>
  );
}

/** The end of an offer's form: the error of the last submission, the cancel and submit buttons. */
export function OfferEnd({
  error,
  busy,
  submitLabel,
}: {
  error: Message | undefined;
  busy: boolean;
  submitLabel: string;
}) {
  return (
    <>
      <FormError>{error}</FormError>
      <div className="flex justify-end gap-2">
        <BackButton disabled={busy}>返回</BackButton>
        <Button type="submit" kind="primary" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </>
  );
}
