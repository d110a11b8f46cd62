import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { settingList } from '#subjects/settings/contract/staff-settings.ts';
import { settingGroups } from '../rules/setting-groups.ts';
import { isTierKey, tierSpec } from '../rules/setting-tiers.ts';
import { settingSpecs } from '../rules/settings.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { NewTier } from './settings/new-tier.tsx';
import { SettingCard } from './settings/setting-card.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '交易设置', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const wanted = args.url.searchParams.get('group');
  const group = settingGroups.find(([name]) => name === wanted)?.[0] ?? 'fees';
  return { ...(await market(args).call(settingList, {})), group };
}

/** Fees, holds, levels, deposits, limits and clocks: current values, start of a change, and its author. */
export default function SettingsPage() {
  const { list, canChange, group } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const waiting = (name: string): number =>
    list.filter(({ key, planned, draft }) => (planned || draft) && specOf(key)?.group === name).length;
  const items = list.filter(({ key }) => specOf(key)?.group === group);
  return (
    <>
      <div className="admin-head">
        <h1>交易设置</h1>
        <p>已下的订单保持下单时的条件</p>
      </div>
      <LinkTabs
        label="设置分组"
        className="mb-3"
        items={settingGroups.map(([key, label]) => ({
          key,
          label,
          to: `?group=${key}`,
          isCurrent: key === group,
          count: waiting(key),
        }))}
      />
      <div className="grid gap-4">
        {items.map((item) => {
          const spec = specOf(item.key, item.name);
          return (
            spec && (
              <SettingCard
                key={item.key}
                spec={spec}
                item={item}
                canChange={canChange}
                onDone={() => void revalidate()}
              />
            )
          );
        })}
        {group === 'tiers' && canChange && (
          <NewTier
            usedCodes={items.map(({ key }) => key)}
            needsSecond={items.some(({ needsSecond }) => needsSecond)}
            onDone={() => void revalidate()}
          />
        )}
      </div>
    </>
  );
}

const specOf = (key: string, name?: string) =>
  isTierKey(key) ? tierSpec(key, name) : settingSpecs.find((spec) => spec.key === key);
