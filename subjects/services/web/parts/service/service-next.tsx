import { Lock, MessageSquare, ScanLine, ShieldCheck, Timer } from 'lucide-react';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { type Protection, protectionText } from '#subjects/orders/rules/protection.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Next } from '#subjects/orders/web/parts/actions/next.tsx';
import type { ServiceOrder } from './service-order.ts';

const icon = 'icon size-5';

/** When the order is accepted or paid back. */
function Accepting({ service, who }: { service: ServiceOrder; who: string }) {
  const name = service.providerName || who;
  if (service.state !== 'pending')
    return (
      <Next icon={<ScanLine className={icon} />} title={`${who}已接单`}>
        {name}已接单，请到订单页看下一步。
      </Next>
    );
  return (
    <Next icon={<ScanLine className={icon} />} title={`等${who}接单`}>
      {service.acceptBy
        ? `${name}需在 ${fullAt(service.acceptBy)} 前接单，超时未接自动全额退款；接单前取消也免费。`
        : `${name}正在收到通知，超时未接自动全额退款；接单前取消也免费。`}
    </Next>
  );
}

/** The next steps after the payment of boosting or companion play, which have no shipping. */
export function ServiceNext({
  service,
  staffName,
  protection,
}: {
  service: ServiceOrder;
  staffName: string | null;
  protection: Protection | null;
}) {
  const isBoosting = service.typeId === BOOSTING;
  const who = isBoosting ? '打手' : '陪玩';
  const booked = service.play?.bookedTime ?? null;
  return (
    <ol className="border-t border-line-soft px-4 py-2" aria-label="接下来">
      <Accepting service={service} who={who} />
      {isBoosting && service.mode === 'account' && (
        <Next icon={<Lock className={icon} />} title="接单后提交账号资料">
          在订单页填写密封信息，只有接单打手能打开；约定时间从您提交时算起，一天内没有提交订单自动全额退款。
        </Next>
      )}
      {isBoosting ? (
        <Next icon={<Timer className={icon} />} title="按段验收，按段付款">
          打手完成一段提交一段截图，您确认后这一段的款项才付给打手；有问题先退回或申诉。
        </Next>
      ) : (
        <Next icon={<Timer className={icon} />} title="双方点「我到了」后开始计时">
          {booked ? `约定 ${fullAt(booked)} 开始。` : ''}
          按已玩的分钟结算，对方没有到场时货款自动退回。
        </Next>
      )}
      <Next icon={<MessageSquare className={icon} />} title="有事在交易群里说">
        {staffName ? `${staffLabel(staffName)}负责本单，` : ''}不要在站外付款或加联系方式。
      </Next>
      <Next icon={<ShieldCheck className={icon} />} title="保护期内仍可申诉">
        {isBoosting && '最后一段'}
        {protectionText(protection)}；期满没有申诉才转给{who}。
      </Next>
    </ol>
  );
}
