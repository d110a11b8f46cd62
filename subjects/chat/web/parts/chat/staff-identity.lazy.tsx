/** The identity and assignment of a member of staff, loaded when the badge is clicked. */
export default function StaffIdentity({
  name,
  orderSn,
  isCurrent,
}: {
  name: string;
  orderSn: string | null;
  isCurrent: boolean;
}) {
  return (
    <div className="grid gap-1.5 text-12 text-ink-2">
      <p className="text-13 font-semibold text-ink">{name}，本站平台客服</p>
      <p>
        {isCurrent ? '正在负责' : '曾负责'}
        {orderSn ? `订单 ${orderSn}` : '本次咨询'}。
      </p>
      <p>平台客服只在站内群聊中联系您，不会索要密码、验证码，也不会让您转账到个人账户。</p>
    </div>
  );
}
