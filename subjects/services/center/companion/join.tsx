import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { accompanyerApply, getAccompanyerInfo } from '#subjects/services/contract/accompanyer.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ApplyForm } from '#subjects/quick-coin/web/parts/coin/apply-form.tsx';
import { JoinPage } from '../join-page.tsx';
import { COMPANION } from '../role.ts';
import { useCompanionFields } from './companion-fields.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申请陪玩', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  return { ...(await request(getAccompanyerInfo, {})), isVerified: user?.authStatus === AuthStatus.Verified };
}

/** Application to be a companion, or the state of the one submitted. */
export default function JoinCompanion() {
  const { accompanyer, serviceGames, isVerified } = useLoaderData<typeof loader>();
  const more = useCompanionFields(accompanyer);
  return (
    <JoinPage
      role={COMPANION}
      own={accompanyer}
      isVerified={isVerified}
      lead="买家的钱由平台托管，双方到场才开始计时，按实际分钟结算"
      form={
        <ApplyForm
          former={accompanyer}
          games={serviceGames}
          labels={{
            name: '陪玩名称',
            games: '陪玩的游戏',
            intro: '段位、风格、在线时间；不要留联系方式。',
            pictures: { name: '照片或战绩', help: '通过审核后在陪玩页公开，PNG 或 JPEG，每张不超过 10M。' },
          }}
          foot="仅限已成年的实名用户；缴足保证金并通过审核后可发布套餐。"
          more={more}
          send={(form, options) => call(accompanyerApply, form, options)}
        />
      }
    />
  );
}
