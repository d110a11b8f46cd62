import { useId, useState } from 'react';
import { apiKeyCreate } from '#subjects/open-api/contract/open-keys.ts';
import type { Data, Input as InputOf } from '#contract/endpoint.ts';
import { API_KEY_DAYS, API_MAX_DROPS, API_SCOPE_NAMES, API_SCOPES, type ApiScope } from '../rules/api-keys.ts';
import { networkError } from '../rules/networks.ts';
import { call } from '#web/lib/api/api.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select, Textarea, withChoice } from '#web/ui/forms/input.tsx';

type NewKey = InputOf<typeof apiKeyCreate>;

const DEFAULTS: readonly ApiScope[] = ['goods.read', 'stock.write'];
const addressesOf = (text: string): string[] => text.split(/[\s,，;；]+/).filter((one) => one !== '');

/** The form of a new key; the secret goes to `onMade`. */
export function KeyForm({
  onMade,
  onClose,
}: {
  onMade: (made: Data<typeof apiKeyCreate>) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [scopes, setScopes] = useState<readonly ApiScope[]>(DEFAULTS);
  const { form, busy, errors, submit } = useMutation(
    (input: NewKey, options) => withStepUp('apiKey', () => call(apiKeyCreate, input, options)),
    {
      draft: 'api-key',
      fields: ['name', 'scopes', 'days', 'maxDropPercent', 'networks'],
      check: (input) => {
        const wrong = (input.networks as string[]).map(networkError).find(Boolean);
        return {
          name: input.name.trim() === '' ? '请填写名称' : undefined,
          scopes: (input.scopes as string[]).length === 0 ? '请至少选择一项权限' : undefined,
          networks: wrong,
        };
      },
      done: onMade,
      revalidates: true,
    },
  );
  const read = (element: HTMLFormElement): NewKey => {
    const text = textsOf(element);
    return {
      name: text('name'),
      scopes: [...scopes],
      days: Number(text('days')),
      maxDropPercent: Number(text('maxDropPercent')),
      networks: addressesOf(text('networks')),
    };
  };
  return (
    <Dialog
      title="新建密钥"
      busy={busy}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton disabled={busy}>取消</BackButton>
          <Button kind="primary" type="submit" form={formId} busy={busy}>
            生成密钥
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className="grid gap-4" onSubmit={submit(read)} noValidate>
        <Field label="名称" required error={errors.name} help="写清给哪个程序用，方便以后停用。">
          {(control) => <Input {...control} name="name" maxLength={30} placeholder="如 库存同步" />}
        </Field>
        <FieldGroup
          legend="权限"
          error={errors.scopes}
          help="任何密钥都不能付款、提现、发货，也看不到账号密码和买家资料。"
        >
          {(isInvalid) => (
            <div className="grid gap-2">
              {API_SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  checked={scopes.includes(scope)}
                  aria-invalid={isInvalid}
                  onChange={(event) => setScopes(withChoice(scopes, scope, event.target.checked))}
                >
                  {API_SCOPE_NAMES[scope].name}
                  <small className="block text-12 text-ink-3">{API_SCOPE_NAMES[scope].about}</small>
                </Checkbox>
              ))}
            </div>
          )}
        </FieldGroup>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="有效期" required error={errors.days}>
            {(control) => (
              <Select {...control} name="days" defaultValue={90}>
                {API_KEY_DAYS.map((days) => (
                  <option key={days} value={days}>
                    {days} 天
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            label="一天内最多降价"
            required
            error={errors.maxDropPercent}
            help="密钥泄露时，避免商品被改成低价买走。"
          >
            {(control) => (
              <Select {...control} name="maxDropPercent" defaultValue={30}>
                {API_MAX_DROPS.map((percent) => (
                  <option key={percent} value={percent}>
                    {percent === 0 ? '不允许降价' : `${percent}%`}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Field
          label="允许的地址"
          error={errors.networks}
          help="每行一个 IP 或网段，最多 10 个；不填则不限制。服务器地址固定时建议填写。"
        >
          {(control) => <Textarea {...control} name="networks" rows={2} placeholder="203.0.113.7" />}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
