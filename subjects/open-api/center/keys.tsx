import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { type ApiKeyItem, apiKeyRevoke, apiKeyRotate } from '#subjects/open-api/contract/open-keys.ts';
import { API_OVERLAP_HOURS, API_SCOPE_NAMES } from '../rules/api-keys.ts';
import { call } from '#web/lib/api/api.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useRevalidator } from 'react-router';
import { Calls } from './calls.tsx';
import { KeyForm } from './key-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const STATUS = { active: '使用中', expired: '已过期', revoked: '已停用' } as const;
const OVERLAPS: Readonly<Record<(typeof API_OVERLAP_HOURS)[number], string>> = {
  0: '立即失效',
  1: '1 小时',
  24: '24 小时',
  168: '7 天',
};

interface Shown {
  publicId: string;
  secret: string;
}

function RotateDialog({
  item,
  onMade,
  onClose,
}: {
  item: ApiKeyItem;
  onMade: (made: Shown) => void;
  onClose: () => void;
}) {
  const [hours, setHours] = useState(24);
  const { busy, errors, send } = useMutation(
    (_: void, options) =>
      withStepUp('apiKey', () => call(apiKeyRotate, { keyId: item.keyId, overlapHours: hours }, options)),
    { done: ({ key, secret }) => onMade({ publicId: key.publicId, secret }), revalidates: true },
  );
  return (
    <Dialog
      title={`更换「${item.name}」的签名密码`}
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            更换
          </Button>
        </>
      }
    >
      <Field
        label="旧密码还能用"
        required
        error={errors.send}
        help="在这段时间里新旧密码都有效，程序换上新密码后不会中断。怀疑泄露时请选「立即失效」。"
      >
        {(control) => (
          <Select {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {API_OVERLAP_HOURS.map((one) => (
              <option key={one} value={one}>
                {OVERLAPS[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </Dialog>
  );
}

function KeyRow({ item, onShow }: { item: ApiKeyItem; onShow: (made: Shown) => void }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | 'calls' | null>(null);
  const { revalidate } = useRevalidator();
  const close = () => setOpen(null);
  const isActive = item.status === 'active';
  return (
    <li className="border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-72 gap-1">
          <p className="flex flex-wrap items-center gap-2 text-14 font-medium">
            {item.name}
            <Tag {...(isActive && { tone: 'safe' as const })}>{STATUS[item.status]}</Tag>
          </p>
          <p className="text-12 text-ink-3">
            <CopyButton text={item.publicId} label="密钥编号" className="font-mono" />
          </p>
          <p className="flex flex-wrap gap-1">
            {item.scopes.map((scope) => (
              <Tag key={scope}>{API_SCOPE_NAMES[scope].name}</Tag>
            ))}
          </p>
          <p className="text-12 text-ink-3">
            {item.maxDropPercent === 0 ? '不允许降价' : `一天内最多降价 ${item.maxDropPercent}%`}，
            {item.networks.length === 0 ? '不限地址' : `仅 ${item.networks.join('、')}`}，{fullAt(item.expireTime)} 到期
          </p>
          <p className="text-12 text-ink-3">
            {item.lastUseTime === null ? (
              '还没有用过'
            ) : (
              <>
                最近使用 <TimeLabel at={item.lastUseTime} />
                ，来自 {item.lastNetwork}
              </>
            )}
          </p>
          {item.previousUntil !== null && (
            <p className="text-12 text-attn">旧密码到 {fullAt(item.previousUntil)} 前仍可使用</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" aria-expanded={open === 'calls'} onClick={() => setOpen(open === 'calls' ? null : 'calls')}>
            调用记录
          </Button>
          {isActive && (
            <>
              <Button size="sm" onClick={() => setOpen('rotate')}>
                更换密码
              </Button>
              <Button size="sm" kind="danger" onClick={() => setOpen('revoke')}>
                停用
              </Button>
            </>
          )}
        </div>
      </div>
      {open === 'calls' && <Calls keyId={item.keyId} />}
      {open === 'rotate' && <RotateDialog item={item} onClose={close} onMade={(made) => (close(), onShow(made))} />}
      {open === 'revoke' && (
        <ConfirmDialog
          title={`停用「${item.name}」`}
          action="停用"
          danger
          question="停用后立即生效，用它的程序会全部失败，不能恢复。"
          send={(_reason, options) => call(apiKeyRevoke, { keyId: item.keyId }, options)}
          onDone={() => {
            toast('密钥已停用', 'ok');
            close();
            void revalidate();
          }}
          onClose={close}
        />
      )}
    </li>
  );
}

/** The seller's keys. */
export function Keys({ list, canCreate }: { list: readonly ApiKeyItem[]; canCreate: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [displayed, setShown] = useState<Shown | null>(null);
  const create = canCreate ? (
    <Button kind="primary" onClick={() => setOpen(true)}>
      新建密钥
    </Button>
  ) : (
    <ButtonLink kind="primary" to="/center/myself/identityAuthentication">
      去实名认证
    </ButtonLink>
  );
  return (
    <>
      {list.length === 0 ? (
        <EmptyState title="还没有密钥" icon={<KeyRound className="icon size-8" strokeWidth={1.25} />} action={create}>
          {canCreate ? '密钥让您自己的程序代您同步库存，权限和有效期由您决定。' : '完成实名认证后可以新建密钥。'}
        </EmptyState>
      ) : (
        <>
          <div className="flex items-center justify-between gap-3 border-b border-line-soft px-4 py-3">
            <p className="text-13 text-ink-3">密钥代表您本人操作，请像密码一样保管。</p>
            {create}
          </div>
          <ul>
            {list.map((item) => (
              <KeyRow key={item.keyId} item={item} onShow={setShown} />
            ))}
          </ul>
        </>
      )}
      {isOpen && (
        <KeyForm
          onClose={() => setOpen(false)}
          onMade={({ key, secret }) => {
            setOpen(false);
            setShown({ publicId: key.publicId, secret });
          }}
        />
      )}
      {displayed && (
        <SecretDialog
          title="请保存签名密码"
          rows={[
            ['密钥编号', displayed.publicId],
            ['签名密码', displayed.secret],
          ]}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
