import { useState } from 'react';
import { Link } from 'react-router';
import {
  staffRecycleInspect,
  type staffRecycleInfo,
  staffRecycleTaken,
} from '#subjects/recycling/contract/account-recycling.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Reading, ReadingFields, sentReading } from '#subjects/inspections/staff/reading-fields.tsx';

type Info = Data<typeof staffRecycleInfo>;

function Readings({ request }: { request: Info }) {
  return (
    <table className="admin-table">
      <thead>
        <tr>
          <th scope="col">项目</th>
          <th scope="col">卖家填的</th>
          <th scope="col">读到的</th>
          <th scope="col" className="num">
            减价
          </th>
        </tr>
      </thead>
      <tbody>
        {request.readings.map((r) => (
          <tr key={r.key} className={fenOf(r.cut) > 0 ? 'bg-attn-bg' : undefined}>
            <td>{r.label}</td>
            <td>{r.said}</td>
            <td>{r.found}</td>
            <td className="num">{fenOf(r.cut) > 0 ? <Amount yuan={r.cut} sign="-" /> : '一致'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** For an account that the platform bought: staff other than its inspector confirm that it was taken over. */
function TakeOver({ requestSn, taken, hasOpened }: Pick<Info, 'requestSn' | 'taken' | 'hasOpened'>) {
  const [note, setNote] = useState('');
  const { busy, errors, submit } = useMutation(staffRecycleTaken, {
    revalidates: 'always',
    done: ({ waits }) => toast(waits ? '已记录，再有一位同事确认后放款' : '已确认接管，货款已放给卖家', 'ok'),
  });
  const contest = useMutation(staffRecycleTaken, {
    fields: ['note'],
    revalidates: 'always',
    done: () => toast('已发起申诉，货款冻结到裁决', 'ok'),
  });
  return (
    <form className="grid gap-2 border-t border-line-soft px-4 py-3" onSubmit={submit(() => ({ requestSn }))}>
      <p className="text-13 text-ink-2">
        账号由平台收下。在订单里打开密封信息，改好密码、确认能登录后点「已接管账号」，两位没有验号、各自打开过的同事确认后货款放给卖家；到期没有接管会自动转为申诉，不会放款。
      </p>
      {taken && (
        <p className="text-13 text-attn">
          {taken.isMine
            ? '您已确认接管，还要一位没有验号的同事打开核对后确认。'
            : `${staffLabel(taken.name)}已确认接管，您确认后货款马上放给卖家。`}
        </p>
      )}
      {!taken?.isMine && !hasOpened && (
        <p className="text-13 text-attn">您还没有打开密封信息，本人打开、登录核对后才能确认接管。</p>
      )}
      <FormError>{errors.send}</FormError>
      {!taken?.isMine && (
        <span>
          <Button type="submit" kind="primary" busy={busy}>
            已接管账号
          </Button>
        </span>
      )}
      <Field label="登录不上或与验号结果不符" required error={contest.errors.note}>
        {(control) => <Input {...control} maxLength={200} value={note} onChange={(e) => setNote(e.target.value)} />}
      </Field>
      <FormError>{contest.errors.send}</FormError>
      <span>
        <Button busy={contest.busy} onClick={() => contest.send({ requestSn, failed: true, note })}>
          以平台名义发起申诉
        </Button>
      </span>
    </form>
  );
}

/** The inspector's form: every stated field as it is read in the game, with pictures; what differs takes off the published amount. */
export function InspectPanel({ request, canAct }: { request: Info; canAct: boolean }) {
  const [reading, setReading] = useState<Reading>({ details: {}, pictures: [] });
  const names = ['pictures', ...request.fields.map((f) => `details.${f.key}`)];
  const { form, busy, errors, submit } = useMutation(staffRecycleInspect, {
    fields: names,
    revalidates: 'always',
    done: ({ waits, status }) =>
      toast(
        waits
          ? '已保存，须另一位同事读到相同的数'
          : status === 'paid'
            ? '验号一致，货款已付，接管后到账'
            : '有差异，等卖家确认',
        'ok',
      ),
  });
  return (
    <section className="panel" aria-labelledby="inspect">
      <div className="panel-head flex-wrap">
        <h2 id="inspect">验号 {request.requestSn}</h2>
        <p>
          {request.gameName} {request.areaName}，{request.statusName}
        </p>
        {request.orderSn && (
          // The input below is kept while the form is read in another tab.
          <Link
            to={`/backstage/orders/${request.orderSn}`}
            target="_blank"
            rel="noreferrer"
            className="link ml-auto text-13 max-md:ml-0"
          >
            订单 {request.orderSn}，打开密封信息
          </Link>
        )}
      </div>
      {request.readings.length > 0 && <Readings request={request} />}
      {canAct && request.canInspect ? (
        <form
          ref={form}
          className="grid gap-4 p-4"
          onSubmit={submit(() => ({ requestSn: request.requestSn, ...sentReading(reading) }))}
        >
          <ReadingFields
            intro="逐项填您在游戏里读到的；提交后才显示卖家填写的和差异。"
            fields={request.fields}
            isRequired
            help="上传各项数据的截图。"
            value={reading}
            errors={errors}
            busy={busy}
            onChange={setReading}
          />
        </form>
      ) : (
        request.why !== '' && <p className="p-4 text-13 text-ink-3">{request.why}</p>
      )}
      {canAct && request.canTake && (
        <TakeOver requestSn={request.requestSn} taken={request.taken} hasOpened={request.hasOpened} />
      )}
    </section>
  );
}
