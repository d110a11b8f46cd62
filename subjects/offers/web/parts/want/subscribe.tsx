import { BellPlus, BellRing } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import type { Input } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** The filters of a list, as its page knows them. */
export type SavedSearch = Omit<Input<typeof saveSearchAlert>, 'frequency'>;

/** Subscribes to the current search; afterwards it links to the page where subscriptions are managed. */
export function Subscribe({ search, size = 'sm' }: { search: SavedSearch; size?: 'sm' | 'md' }) {
  const [saved, setSaved] = useState<string | null>(null);
  const { busy, send } = useMutation(saveSearchAlert, {
    toasts: true,
    done: ({ repeated }) => {
      toast(repeated ? '这个搜索已经订阅过' : '已订阅，有符合的新商品会提醒您', 'ok');
      setSaved(search.path);
    },
  });
  const navigate = useNavigate();
  const { pathname, search: query } = useLocation();
  if (saved === search.path)
    return (
      <Link to="/center/buyBlackList#alerts" className={buttonClass({ size, kind: 'tonal' })}>
        <BellRing className="icon size-3.5" aria-hidden="true" />
        已订阅，去管理
      </Link>
    );
  const save = () => {
    if (!cookie('token')) return void navigate(`/login?returnUrl=${encodeURIComponent(pathname + query)}`);
    void send(search);
  };
  return (
    <Button size={size} busy={busy} onClick={save}>
      <BellPlus className="icon size-3.5" aria-hidden="true" />
      订阅该搜索
    </Button>
  );
}
