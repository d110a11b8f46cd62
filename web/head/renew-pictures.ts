/** Data is read at most once in this time, since a picture may be missing for another reason. */
const READ_MS = 10_000;
/** A conversation is reloaded at most once in this time: a fast clock makes every address look expired. */
const RELOAD_MS = 60_000;

interface PictureAddress {
  key: string;
  /** Its end in ms. */
  end: number;
}

/** A private picture's address; undefined for any other. */
function privateAddress(url: string | null | undefined): PictureAddress | undefined {
  const [, key, end] = /^\/img\/([^.?]+)\.(\w+)\./.exec(url ?? '') ?? [];
  return key === undefined || end === undefined ? undefined : { key, end: parseInt(end, 36) * 1000 };
}

const isExpired = (address: PictureAddress | undefined): address is PictureAddress =>
  address !== undefined && address.end <= Date.now();

/** The router of the page, which keeps itself in this variable. */
const router = (): { revalidate(): Promise<void> } | undefined =>
  (window as { __reactRouterDataRouter?: { revalidate(): Promise<void> } }).__reactRouterDataRouter;

let readAt = 0;

function readAgain(): Promise<void> | undefined {
  const now = Date.now();
  const found = router();
  if (!found || now - readAt < READ_MS) return undefined;
  readAt = now;
  return found.revalidate();
}

function reload(): void {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem('renewed') ?? 0) <= RELOAD_MS) return;
  sessionStorage.setItem('renewed', String(now));
  location.reload();
}

/**
 * Addresses of private pictures expire after an hour or two (server/access/picture-address.ts), pages stay open for longer. A picture that is no
 * longer served, or a link to an expired one, makes the router read the page's data again, which has new addresses; the link then
 * opens the new one. A conversation is in no page's data: its page is reloaded, which keeps the draft message
 * (subjects/chat/web/parts/chat-link/drafts.ts); the viewer renews its picture itself. In the head, since most pages never need it.
 */
export function renewPictures(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      const picture = target as Element;
      if (picture.tagName !== 'IMG' || !isExpired(privateAddress(picture.getAttribute('src')))) return;
      if (picture.closest('dialog')) return;
      if (picture.closest('.chat-row')) reload();
      else void readAgain();
    },
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element).closest?.('a[href^="/img/"]');
      const address = privateAddress(link?.getAttribute('href'));
      if (!isExpired(address)) return;
      const read = readAgain();
      if (!read) return;
      event.preventDefault();
      const { key } = address;
      // In a separate task: the new addresses are rendered by then.
      const open = () => document.querySelector<HTMLElement>(`a[href^="/img/${key}."]`)?.click();
      void read.then(() => setTimeout(open));
    },
    true,
  );
}
