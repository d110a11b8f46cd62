import { useState } from 'react';
import { Link } from 'react-router';
import { serviceKinds, serviceQueryProblem, serviceOutcomeText } from '../../../rules/account-ids.ts';
import { queryVerifyCustomer } from '#subjects/verification/contract/verification.ts';
import { call } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { useRequest } from './use-request.ts';
import { Outcome } from './outcome.tsx';

const PLACEHOLDERS: Readonly<Record<number, string>> = {
  1: '客服的 QQ 号',
  2: '客服的微信号',
  3: '客服的手机号',
  4: '要您付款的账户',
  5: 'QQ 群或微信群号',
} satisfies Record<(typeof serviceKinds)[number]['queryType'], string>;

/** Is this number really of our customer service (product.md 2, 5 and 8). */
export function ServiceCheck() {
  const [queryType, setQueryType] = useState(1);
  const [value, setValue] = useState('');
  const {
    response: result,
    error,
    busy,
    submit,
  } = useRequest(async () => {
    const id = value.trim();
    return { id, ...(await call(queryVerifyCustomer, { queryType, queryValue: id }, { quiet: true })) };
  });
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => void submit(event, serviceQueryProblem(queryType, value.trim()))}
    >
      <Field label="号码类型" required>
        {(control) => (
          <Select {...control} value={queryType} onChange={(event) => setQueryType(Number(event.target.value))}>
            {serviceKinds.map((kind) => (
              <option key={kind.queryType} value={kind.queryType}>
                {kind.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="对方给您的号码" required error={error}>
        {(control) => (
          <Input
            {...control}
            value={value}
            holds="accountId"
            autoComplete="off"
            placeholder={PLACEHOLDERS[queryType]}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <div role="status" aria-live="polite">
        {result && (
          <Outcome tone={result.isReal ? 'good' : 'bad'} text={serviceOutcomeText(result.id, result.isReal)}>
            {result.isReal ? (
              <p>
                {result.name}
                {result.duty && `，${result.duty}`}。真客服也不会索要密码、验证码，不会让您站外付款。
              </p>
            ) : (
              <>
                <p>
                  不要加好友、不要转账。{result.askedCount > 1 && `近 30 天有 ${result.askedCount} 人查过这个号码。`}
                </p>
                <p className="flex flex-wrap gap-4">
                  {result.blackSn && (
                    <Link to={`/black/${result.blackSn}`} className="link">
                      查看黑号记录
                    </Link>
                  )}
                  <Link to="/kfyz#report" className="link">
                    举报这个号码
                  </Link>
                </p>
              </>
            )}
          </Outcome>
        )}
      </div>
      <Button type="submit" kind="primary" size="lg" busy={busy}>
        验证
      </Button>
    </form>
  );
}
