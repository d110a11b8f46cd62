import { useState } from 'react';
import { staffOrderContact } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

/** Contact details that the parties left for this transaction. Opening them is recorded. */
export function Contacts({ orderId }: { orderId: number }) {
  const [contacts, setContacts] = useState<Data<typeof staffOrderContact>['list'] | null>(null);
  const { busy, error, send } = useMutation(staffOrderContact, { done: ({ list }) => setContacts(list) });
  return (
    <section className="panel" aria-label="交易联系方式">
      <div className="panel-head">
        <h2>交易联系方式</h2>
        <p>双方留给本单客服的，查看会留下记录</p>
        {contacts === null && (
          <Button size="sm" busy={busy} className="ml-auto" onClick={() => void send({ orderId })}>
            查看
          </Button>
        )}
      </div>
      <FormError className="px-4 py-2">{error}</FormError>
      {contacts && (
        <div className="grid gap-2 px-4 py-3 text-13">
          {contacts.length === 0 && <p className="text-ink-3">双方都没有填写。</p>}
          {contacts.map(({ side, fields }) => (
            <p key={side} className="flex flex-wrap gap-x-4 gap-y-1">
              <b className="font-semibold">{side === 'buyer' ? '买家' : '卖家'}</b>
              {fields.map(({ label, value }) => (
                <span key={label}>
                  <span className="text-ink-3">{label}</span> {value}
                </span>
              ))}
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
