import appCssUrl from '../styles/app.css?url';

/** The style sheet of all pages as its own file, and the cookie of browsers that have stored this version of it. */
export const pageStyleFile = {
  url: appCssUrl,
  cookie: { name: 'style', value: /([^/]+)\.css$/.exec(appCssUrl)?.[1] ?? '' },
};

/**
 * The text of a script of the page's head: when everything of the page has come, the file is fetched into the browser's
 * cache, and sets the cookie. The next page then imports the file and does not carry the style sheet in its own text.
 */
export const storeStyleScript =
  '(function(d,w){' +
  `var v='${pageStyleFile.cookie.name}=${pageStyleFile.cookie.value}',c=navigator.connection;` +
  "if(d.cookie.split('; ').indexOf(v)>=0||c&&c.saveData)return;" +
  "w.addEventListener('load',function(){setTimeout(function(){" +
  `fetch('${pageStyleFile.url}').then(function(r){return r.ok&&r.text()}).then(function(t){` +
  "if(t)d.cookie=v+';path=/;max-age=31536000;samesite=lax'}).catch(function(){})},1500)})})(document,window)";
