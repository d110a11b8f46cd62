import { Camera } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { Link, useRevalidator } from 'react-router';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import { changeUserUsualInfo } from '#subjects/accounts/contract/user.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '../web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { pictureError } from '#web/lib/media/picture-kinds.ts';
import { uploadPicture } from '#web/lib/media/upload.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { RoleCards } from '#subjects/games/center/role-cards.tsx';
import type { SelfData } from './self-loader.ts';

type User = SelfData['user'];

/** The avatar: chosen, uploaded, saved and displayed immediately. */
function OwnPicture({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const { busy, error, send } = useMutation(
    async (file: File, options) => {
      const { key } = await uploadPicture(file, 'avatar');
      return await call(changeUserUsualInfo, { avatar: key }, options);
    },
    {
      check: (file) => ({ send: pictureError(file) ?? undefined }),
      revalidates: true,
      done: () => toast('头像已更新', 'ok'),
    },
  );

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file) void send(file);
  };

  return (
    <div className="flex items-center gap-4">
      <Avatar name={user.nickName} src={user.avatar} size={72} />
      <div className="grid justify-items-start gap-1.5">
        <input
          ref={input}
          type="file"
          {...pictureInput}
          className="sr-only"
          tabIndex={-1}
          aria-label="选择头像图片"
          onChange={choose}
        />
        <Button size="sm" busy={busy} onClick={() => input.current?.click()}>
          <Camera className="icon" aria-hidden="true" />
          更换头像
        </Button>
        <p className="text-12 text-ink-3">JPG 或 PNG，不超过 10M</p>
        <FormError>{error}</FormError>
      </div>
    </div>
  );
}

/** A contact for customer service. It must be retyped for each change, because only its ends are shown. */
function OwnContact({ user }: { user: User }) {
  const { revalidate } = useRevalidator();
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options) =>
      call(changeUserUsualInfo, { contact: typed(target, 'contact').trim() }, options),
    {
      fields: ['contact'],
      done: () => {
        toast('联系方式已保存', 'ok');
        void revalidate();
        return false;
      },
    },
  );
  return (
    <form
      ref={form}
      key={user.contactMask}
      method="post"
      noValidate
      className="grid max-w-112 gap-3 border-t border-line-soft pt-5"
      onSubmit={submit((element) => element)}
    >
      <TextField
        label="联系方式"
        name="contact"
        holds="accountId"
        autoComplete="off"
        maxLength={40}
        placeholder={user.contactMask || 'QQ 号、微信号或手机号'}
        error={errors.contact}
        help={`只有处理您订单的客服能看到；${user.contactMask ? `现在是 ${user.contactMask}，留空保存即删除。` : '可以不填。'}`}
      />
      <FormError>{errors.send}</FormError>
      <div className="md:w-40">
        <SubmitButton busy={busy}>保存联系方式</SubmitButton>
      </div>
    </form>
  );
}

/** Avatar, nickname, contact, and the profile details. */
export function Basics({ data }: { data: SelfData }) {
  const { user } = data;
  const { revalidate } = useRevalidator();
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options) =>
      call(changeUserUsualInfo, { nickName: typed(target, 'nickName').trim() }, options),
    {
      fields: ['nickName'],
      check: (target) => ({ nickName: typed(target, 'nickName').trim() ? undefined : '请输入昵称' }),
      done: () => {
        toast('昵称已保存', 'ok');
        void revalidate();
        return false;
      },
    },
  );
  const details = [
    ['用户 ID', <CopyButton key="id" text={user.unionNum} label="ID" />],
    ['手机号', user.phoneMask],
    [
      '卖家等级',
      <Link key="level" to={depositPath('seller')} className="text-link hover:underline">
        {sellerLevelName(user.sellerLevel)}
      </Link>,
    ],
    ['会员等级', `VIP${user.vipLevel}`],
    ['注册时间', fullAt(user.createTime)],
  ] as const;
  return (
    <div className="grid gap-6 p-4 md:py-5">
      <OwnPicture user={user} />
      <form
        ref={form}
        method="post"
        noValidate
        className="grid max-w-112 gap-3"
        onSubmit={submit((element) => element)}
      >
        <ContactWatch initial={user.nickName} isName>
          <TextField
            label="昵称"
            name="nickName"
            autoComplete="nickname"
            maxLength={24}
            defaultValue={user.nickName}
            error={errors.nickName}
            help="其他人看到的名字；不能含联系方式，或官方、客服等字样。"
          />
        </ContactWatch>
        <FormError>{errors.send}</FormError>
        <div className="md:w-40">
          <SubmitButton busy={busy}>保存昵称</SubmitButton>
        </div>
      </form>
      <OwnContact user={user} />
      <dl className="grid max-w-120 grid-cols-[96px_minmax(0,1fr)] gap-y-3 border-t border-line-soft pt-5 text-14">
        {details.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <RoleCards cards={data.roles} onChanged={() => void revalidate()} />
    </div>
  );
}
