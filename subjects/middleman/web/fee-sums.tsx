import { dealFeeFen, rateText } from '#contract/rules/fee.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import type { PageData } from './middleman-loader.ts';

/** The payer of the fee. When it is halved, the buyer pays the odd fen. */
const FEE_PAYERS = [
  ['half', '双方各半'],
  ['buyer', '买家承担'],
  ['seller', '卖家承担'],
] as const;
export type FeePayer = (typeof FEE_PAYERS)[number][0];

/** The fee rates as a sentence; the same as for listings. */
export const feeText = (fee: PageData['fee']): string =>
  `成交价的 ${rateText(fee.sellerBp)}（最高 ${grouped(fee.sellerMaximum)} 元）加 ${rateText(fee.buyerBp)}，最低 ${grouped(fee.minimum)} 元，与商品交易相同`;

/** The fee on a price and what each party pays and receives, in fen, by the server's rule; null for an invalid price. */
export function dealSums(fee: PageData['fee'], price: string, payer: FeePayer) {
  const text = price.trim();
  if (!isPrice(text) || fenOf(text) < 100) return null;
  const fen = fenOf(text);
  const all = dealFeeFen(fen, {
    sellerBp: fee.sellerBp,
    sellerMaxFen: fenOf(fee.sellerMaximum),
    buyerBp: fee.buyerBp,
    minFen: fenOf(fee.minimum),
  });
  const buyer = payer === 'buyer' ? all : payer === 'seller' ? 0 : Math.ceil(all / 2);
  return { feeFen: all, buyerPaysFen: fen + buyer, sellerGetsFen: fen - (all - buyer) };
}

/** The select of who pays the fee. */
export function FeePayerField(props: {
  payer: FeePayer;
  onChoose: (payer: FeePayer) => void;
  error?: Message | undefined;
  help?: string | undefined;
}) {
  return (
    <Field label="手续费由谁承担" required error={props.error} help={props.help}>
      {(control) => (
        <Select
          {...control}
          value={props.payer}
          onChange={(event) => props.onChoose(FEE_PAYERS.find(([v]) => v === event.target.value)?.[0] ?? 'half')}
        >
          {FEE_PAYERS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Shows each party's payment and proceeds at a price, computed while typing. */
export function FeeSums({ fee, price, payer }: { fee: PageData['fee']; price: string; payer: FeePayer }) {
  const sums = dealSums(fee, price, payer);
  const lines: [string, number | undefined][] = [
    ['手续费', sums?.feeFen],
    ['买家付', sums?.buyerPaysFen],
    ['卖家到手', sums?.sellerGetsFen],
  ];
  return (
    <dl className="grid grid-cols-3 gap-3 rounded-control bg-sunken px-4 py-3" aria-live="polite">
      {lines.map(([label, fen]) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-12 text-ink-3">{label}</dt>
          <dd className="text-16 font-semibold">
            {fen === undefined ? <span className="text-ink-3">—</span> : <Amount yuan={yuanOf(fen)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
