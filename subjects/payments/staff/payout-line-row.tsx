import type { PayoutLine } from '#subjects/payments/contract/staff-payouts.ts';
import { nextPayoutResults, type PayoutResult, payoutResultNames } from '../rules/payout-methods.ts';
import { shortAt } from '#web/lib/format/times.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** The unsent input for a line; without a result nothing is sent. */
export interface TypedResult {
  result: PayoutResult | '';
  detail: string;
}

const TONES: Readonly<Record<PayoutResult, 'safe' | 'danger' | undefined>> = {
  paid: 'safe',
  refused: 'danger',
  bounced: 'danger',
  requeued: undefined,
};

/** The booked result, and the entry that waits for a second person. */
function Outcome({ line }: { line: PayoutLine }) {
  const tone = line.result === null ? undefined : TONES[line.result];
  return (
    <span className="grid justify-items-start gap-1 text-12">
      {line.result !== null && <Tag {...(tone && { tone })}>{payoutResultNames[line.result]}</Tag>}
      {line.result === null && line.draftResult === null && <Tag>待登记</Tag>}
      {line.detail && <span className="break-all text-ink-2">{line.detail}</span>}
      {line.bookedTime && (
        <span className="text-ink-3">
          {line.enteredBy}登记，{line.bookedBy}复核 {shortAt(line.bookedTime)}
        </span>
      )}
      {line.draftResult && (
        <span className="text-attn">
          待复核：{payoutResultNames[line.draftResult]} {line.draftDetail}（{line.isMine ? '您' : line.draftBy}登记）
        </span>
      )}
    </span>
  );
}

function Entry({ line, typed, error, onType }: Omit<PayoutLineRowProps, 'canEnter'>) {
  const detailLabel = typed.result === 'paid' ? '银行流水号' : '原因，用户会看到';
  return (
    <span className="grid gap-1">
      <span className="flex gap-2 max-md:flex-wrap">
        <Select
          small
          aria-label={`第 ${line.lineNo} 行的结果`}
          className="w-36"
          value={typed.result}
          onChange={(event) => onType({ ...typed, result: event.target.value as TypedResult['result'] })}
        >
          <option value="">选择结果</option>
          {nextPayoutResults(line.result).map((result) => (
            <option key={result} value={result}>
              {payoutResultNames[result]}
            </option>
          ))}
        </Select>
        {typed.result !== '' && (
          <Input
            small
            aria-label={`第 ${line.lineNo} 行的${detailLabel}`}
            aria-invalid={error === undefined ? undefined : true}
            className="w-48"
            maxLength={100}
            placeholder={detailLabel}
            value={typed.detail}
            onChange={(event) => onType({ ...typed, detail: event.target.value })}
          />
        )}
      </span>
      <FormError>{error}</FormError>
    </span>
  );
}

interface PayoutLineRowProps {
  line: PayoutLine;
  canEnter: boolean;
  typed: TypedResult;
  error: Message | undefined;
  onType: (typed: TypedResult) => void;
}

/** One line of a list for the bank, with the fields for the bank's result. */
export function PayoutLineRow({ canEnter, ...props }: PayoutLineRowProps) {
  const { line } = props;
  return (
    <tr>
      <td className="text-ink-3" data-label="第">
        {line.lineNo}
      </td>
      <td>
        {line.realNameMask ?? line.nickName}
        <span className="block text-12 text-ink-3">{line.accountMask}</span>
      </td>
      <td className="num font-semibold">
        <Amount yuan={line.amount} />
      </td>
      <td className="text-12 text-ink-3" data-wide="">
        <span className="block">
          打款 <CopyButton text={line.payoutNo} label="打款编号" />
        </span>
        <span className="block">
          提现 <CopyButton text={line.withdrawSn} label="提现编号" />
        </span>
      </td>
      <td data-wide="">
        <Outcome line={line} />
      </td>
      <td data-wide="">{canEnter && nextPayoutResults(line.result).length > 0 && <Entry {...props} />}</td>
    </tr>
  );
}
