import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Form } from 'react-router';
import { type GoodsCard, getGoodsList } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { GoodsTile } from '#web/parts/goods/goods-card.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';

const SUGGESTED = 5;

const LINKS = [
  { label: '全部游戏', to: '/allgame' },
  { label: '账号', to: '/wares?gt=1' },
  { label: '游戏币', to: '/wares?gt=2' },
  { label: '我买到的', to: '/center/buyGoodsOrder' },
] as const;

/** Popular listings for a visitor whose URL leads nowhere; none if they cannot be loaded. */
function useSuggested(): readonly GoodsCard[] {
  const [list, setList] = useState<readonly GoodsCard[]>([]);
  useEffect(() => {
    call(getGoodsList, { pageSize: SUGGESTED }, { quiet: true }).then(
      (found) => setList(found.list),
      () => undefined,
    );
  }, []);
  return list;
}

/** Suggestions below a 404: a search, links to the usual pages, and listings. */
export default function NotFoundSuggestions() {
  const list = useSuggested();
  return (
    <div className="mt-4 grid w-full justify-items-center gap-6">
      <Form action="/wares" role="search" aria-label="搜索商品" className="flex w-full max-w-110 gap-2">
        <Input
          name="keyWord"
          type="search"
          required
          maxLength={40}
          aria-label="关键词或商品编号"
          placeholder="输入关键词、商品编号"
          className="min-w-0 flex-1"
        />
        <Button type="submit" kind="tonal" className="btn-beside">
          <Search className="icon" aria-hidden="true" />
          搜索
        </Button>
      </Form>
      <nav aria-label="常去的页面" className="flex flex-wrap justify-center gap-2">
        {LINKS.map(({ label, to }) => (
          <ButtonLink key={to} to={to} size="sm">
            {label}
          </ButtonLink>
        ))}
      </nav>
      {list.length > 0 && (
        <section className="w-full text-left" aria-labelledby="suggested">
          <h2 id="suggested" className="mb-3 text-16 font-semibold">
            看看在售商品
          </h2>
          <ul className="grid grid-cols-2 gap-3 max-md:[&>:nth-child(5)]:hidden md:grid-cols-5">
            {list.map((goods) => (
              <GoodsTile key={goods.goodsSn} goods={goods} withGame />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
