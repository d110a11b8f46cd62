/**
 * Addresses of private pictures expire after an hour or two (server/access/picture-address.ts), pages stay open for longer. A picture that is no
 * longer served, or a link to an expired one, makes the router read the page's data again, which has new addresses; the link then
 * opens the new one. A conversation is in no page's data: its page is reloaded, which keeps the draft message
 * (subjects/chat/web/parts/chat-link/drafts.ts); the viewer renews its picture itself. Data is read at most once in ten seconds and a conversation at most once a
 * minute, since a picture may be missing for another reason. It is an inline script of the head (web/root.tsx): most pages never need it.
 */
export const renewPicturesScript =
  '(function(d,w){var t=0;' +
  // The end of an address in ms; undefined for any other address.
  "function end(u){var m=/^\\/img\\/([^.?]+)\\.(\\w+)\\./.exec(u||'');return m&&{k:m[1],at:parseInt(m[2],36)*1e3}}" +
  'function again(){var r=w.__reactRouterDataRouter,n=Date.now();if(!r||n-t<1e4)return;t=n;return r.revalidate()}' +
  // A fast clock makes every address look expired: a page that has just been reloaded is not loaded again.
  'function load(){var s=sessionStorage,n=Date.now();if(n-(s.renewed||0)>6e4){s.renewed=n;location.reload()}}' +
  "d.addEventListener('error',function(e){var i=e.target,a=i.tagName=='IMG'&&end(i.getAttribute('src'));if(a&&a.at<=Date.now()&&!i.closest('dialog'))i.closest('.chat-row')?load():again()},true);" +
  "d.addEventListener('click',function(e){var l=e.target.closest&&e.target.closest('a[href^=\"/img/\"]'),a=l&&end(l.getAttribute('href')),p;" +
  'if(!a||a.at>Date.now()||!(p=again()))return;e.preventDefault();' +
  "p.then(function(){setTimeout(function(){var x=d.querySelector('a[href^=\"/img/'+a.k+'.\"]');if(x)x.click()})})},true)})(document,window)";
