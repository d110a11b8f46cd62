/** Shows push messages in this browser and opens their pages. It stores nothing and intercepts no requests. */
self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data ? event.data.json() : {};
  if (!title) return;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = String(event.notification.data?.url ?? '/');
  // Only addresses of this site are ever opened.
  const url = new URL(path.startsWith('/') && !path.startsWith('//') ? path : '/', self.location.origin).href;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((pages) => {
      const open = pages.find((page) => page.url === url) ?? pages[0];
      return open ? open.focus().then((page) => page.navigate(url)) : self.clients.openWindow(url);
    }),
  );
});
