import { coinUnits } from '#contract/rules/catalogue.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import { NumberField } from './inputs.tsx';
import type { GameForm } from './use-game-form.ts';

/** The unit of the game's coin, and how much of it one yuan usually buys. */
export function CoinTab({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  const hasCoin = doc.goodsTypes.some(({ id }) => id === 2);
  return (
    <div className="max-w-150">
      <Section id="coin" title="单位与换算" note={hasCoin ? '游戏币商品和极速金币都用它' : '没有开放游戏币，可以空着'}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="金币单位" required={hasCoin} error={errors.coinUnit}>
            {(control) => (
              <Select
                {...control}
                small
                value={doc.coinUnit ?? ''}
                onChange={(e) => {
                  const coinUnit = coinUnits.find((unit) => unit === e.target.value) ?? null;
                  // The amount of coin is in the game's coin.
                  const fields = doc.fields.map((f) =>
                    f.key === 'amount' && f.kind === 'range' && coinUnit !== null ? { ...f, unit: coinUnit } : f,
                  );
                  change({ coinUnit, fields });
                }}
              >
                <option value="">没有金币</option>
                {coinUnits.map((unit) => (
                  <option key={unit} value={unit}>
                    {unit}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <NumberField
            label={`1 元约可换多少${doc.coinUnit ?? ''}`}
            required={hasCoin}
            value={doc.coinRatio}
            error={errors.coinRatio}
            help="只作填写时的参考，不影响成交"
            onChange={(ratio) => change({ coinRatio: ratio ?? null })}
          />
        </div>
      </Section>
    </div>
  );
}
