/** Listings that a visitor without an account has viewed, stored in this browser (product.md 3, viewed games). */
const KEY = 'viewedGames';
const MAX_VIEWED = 20;

/** A viewed listing, as the entry shows it. */
export interface ViewedGoods {
  goodsSn: string;
  title: string;
  gameId: number;
  gameName: string;
  price: string;
  thumbnail: string;
}

const isViewed = (value: unknown): value is ViewedGoods => {
  const item = value as Partial<Record<keyof ViewedGoods, unknown>> | null;
  return (
    typeof item?.goodsSn === 'string' &&
    /^\w{1,40}$/.test(item.goodsSn) &&
    [item.title, item.gameName, item.price, item.thumbnail].every((text) => typeof text === 'string')
  );
};

/** The viewed listings, newest first; empty if storage is blocked or contains something else. */
export function readViewed(): ViewedGoods[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter(isViewed).slice(0, MAX_VIEWED) : [];
  } catch {
    return [];
  }
}

function store(list: readonly ViewedGoods[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // When storage is full or blocked only the convenience is lost.
  }
}

const without = (sn: string): ViewedGoods[] => readViewed().filter(({ goodsSn }) => goodsSn !== sn);

/** Saves a viewed listing as the newest, once. */
export function rememberViewed(goods: ViewedGoods): void {
  store([goods, ...without(goods.goodsSn)].slice(0, MAX_VIEWED));
}

/** Removes one listing. */
export function forgetViewed(goodsSn: string): void {
  store(without(goodsSn));
}

/** Saves a listing from its page. */
export function rememberGoods(
  goods: Omit<ViewedGoods, 'title' | 'price'> & { bigTitle: string; allInPrice: string },
): void {
  const { goodsSn, bigTitle, gameId, gameName, allInPrice, thumbnail } = goods;
  rememberViewed({ goodsSn, title: bigTitle, gameId, gameName, price: allInPrice, thumbnail });
}

/** Clears the viewed listings. */
export function clearViewed(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A blocked storage is empty.
  }
}
