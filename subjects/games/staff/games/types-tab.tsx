import { accountTypes, goodsTypeIds, goodsTypeName } from '#contract/rules/catalogue.ts';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Radio } from '#web/ui/forms/input.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import type { GameForm } from './use-game-form.ts';

/** Enables or disables a goods type; an enabled one starts with the default steps, and coin with its amount field. */
function opened(form: GameForm, id: number): void {
  const { doc, change, info } = form;
  const goodsTypes = goodsTypeIds
    .filter((one) => one === id || doc.goodsTypes.some((t) => t.id === one))
    .map((one) => doc.goodsTypes.find((t) => t.id === one) ?? { id: one, name: goodsTypeName(one) });
  const { accounts, deliveries } = doc.handover;
  const hasSteps = accountTypes.includes(id) ? accounts.length > 0 : deliveries.some((d) => d.goodsTypes.includes(id));
  const usual = info.usual.deliveries.find((d) => d.goodsTypes.includes(id));
  const handover = hasSteps
    ? doc.handover
    : accountTypes.includes(id)
      ? { accounts: info.usual.accounts, deliveries }
      : { accounts, deliveries: [...deliveries, { goodsTypes: [id], steps: usual?.steps ?? [] }] };
  const amount = doc.fields.find((f) => f.key === 'amount');
  const isCoin = id === 2 || id === 22;
  const fields = !isCoin
    ? doc.fields
    : amount
      ? doc.fields.map((f) => (f === amount ? { ...f, goodsTypes: [...new Set([...f.goodsTypes, id])] } : f))
      : [
          ...doc.fields,
          {
            key: 'amount',
            label: '数量',
            kind: 'range' as const,
            min: 1,
            max: 100_000_000,
            required: true,
            inCard: true,
            filterable: true,
            goodsTypes: [id],
          },
        ];
  change({ goodsTypes, handover, fields });
}

/** The goods types of the game, their names, and the default one of a search. */
export function TypesTab({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  return (
    <div className="max-w-180">
      <Section id="types" title="商品类型" note="关闭一种后不能再新发布，在售的卖完为止">
        <ul className="grid">
          {goodsTypeIds.map((id) => {
            const at = doc.goodsTypes.findIndex((t) => t.id === id);
            const type = doc.goodsTypes[at];
            const error = errors[`goodsTypes.${at}.name`] ?? errors[`goodsTypes.${at}.id`];
            return (
              <li key={id} className="grid gap-1 border-b border-line-soft py-2">
                <div className={cx('flex flex-wrap items-center gap-3', !type && 'text-ink-3')}>
                  <Checkbox
                    className="w-32"
                    checked={type !== undefined}
                    onChange={(e) =>
                      e.target.checked
                        ? opened(form, id)
                        : change({ goodsTypes: doc.goodsTypes.filter((t) => t.id !== id) })
                    }
                  >
                    {goodsTypeName(id)}
                  </Checkbox>
                  {type && (
                    <>
                      <Input
                        small
                        className="w-40!"
                        aria-label={`${goodsTypeName(id)}在本游戏的叫法`}
                        aria-invalid={error ? true : undefined}
                        maxLength={10}
                        value={type.name}
                        onChange={(e) =>
                          change({
                            goodsTypes: doc.goodsTypes.map((t) => (t.id === id ? { ...t, name: e.target.value } : t)),
                          })
                        }
                      />
                      <Radio
                        name="defaultType"
                        checked={doc.defaultType === id}
                        onChange={() => change({ defaultType: id })}
                      >
                        默认
                      </Radio>
                    </>
                  )}
                </div>
                <FormError>{error}</FormError>
              </li>
            );
          })}
        </ul>
        <FormError>{errors.goodsTypes ?? errors.defaultType}</FormError>
        <p className="text-12 text-ink-3">
          打开一种类型时会带上常用的交付步骤，请到「换绑步骤」里按本游戏改；游戏币和元宝还会带上「数量」这一项。
        </p>
      </Section>
    </div>
  );
}
