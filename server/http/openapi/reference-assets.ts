/** Styles of the page: a column of groups next to the calls, light or dark depending on the system. */
export const style = `
:root{color-scheme:light dark;--bg:light-dark(#f6f8f9,#14191c);--panel:light-dark(#fff,#1b2226);--ink:light-dark(#1b2327,#e6ebed);--ink2:light-dark(#4a565c,#aab5ba);--ink3:light-dark(#66737a,#8b979d);--line:light-dark(#e1e7ea,#2b353a);--brand:light-dark(#14587a,#7fc0e0);--soft:light-dark(#eef4f7,#222c31);--get:light-dark(#0b6b4f,#6fd0ae);--post:light-dark(#8a4b08,#e9b06a)}
*{box-sizing:border-box}
html{scroll-padding-top:72px}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
code,.m,.n{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
a{color:var(--brand)}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
header{position:sticky;top:0;z-index:2;background:var(--panel);border-bottom:1px solid var(--line)}
.bar{max-width:1240px;margin:0 auto;padding:10px 24px;display:flex;gap:20px;align-items:center}
.brand{font-size:18px;font-weight:650;color:var(--ink);text-decoration:none;white-space:nowrap}
.brand small{margin-left:8px;font-weight:400;font-size:13px;color:var(--ink3)}
.find{flex:1;max-width:520px;margin-left:auto}
.find input{width:100%;height:38px;padding:0 14px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--ink);font:inherit}
:focus-visible{outline:2px solid var(--brand);outline-offset:1px}
.json{font-size:14px;white-space:nowrap}
.page{max-width:1240px;margin:0 auto;padding:0 24px 80px;display:grid;grid-template-columns:148px minmax(0,1fr);gap:36px}
nav{position:sticky;top:76px;align-self:start;max-height:calc(100vh - 96px);overflow:auto;padding:20px 2px;display:grid;gap:2px}
nav a{padding:5px 12px;border-radius:6px;color:var(--ink2);text-decoration:none;font-size:14px}
nav a:hover{background:var(--soft);color:var(--ink)}
.lead{margin:26px 0 8px;color:var(--ink2);max-width:76ch}
h2{margin:38px 0 12px;font-size:20px;line-height:1.3}
h2 small{margin-left:10px;font-size:13px;font-weight:400;color:var(--ink3)}
h4{margin:18px 0 8px;font-size:14px;color:var(--ink2);font-weight:600}
.op{background:var(--panel);border:1px solid var(--line);border-radius:8px;margin-bottom:8px}
.op[open]{border-color:light-dark(#b9cbd4,#40515a)}
summary{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:10px 16px;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--soft);border-radius:8px}
.m{flex:none;width:44px;font-weight:700}
.m.get{color:var(--get)}.m.post{color:var(--post)}
.p{font-size:14px;overflow-wrap:anywhere}
.s{flex:1 1 140px;color:var(--ink2);font-size:14px}
.acc,.mark{flex:none;font-size:12px;color:var(--ink3);border:1px solid var(--line);border-radius:5px;padding:0 6px}
.acc.login{color:var(--brand);border-color:currentColor}.acc.staff{color:var(--post);border-color:currentColor}
.in{padding:0 16px 18px;border-top:1px solid var(--line)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:14px}
.codes table,#auth table{background:var(--panel);border:1px solid var(--line)}
th{text-align:left;font-weight:600;color:var(--ink3);font-size:13px}
th,td{padding:6px 12px;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
td.f{padding-left:calc(12px + var(--d,0)*20px);white-space:nowrap}
td.t{white-space:nowrap;color:var(--ink2)}
td.n{white-space:nowrap;font-variant-numeric:tabular-nums}
.opt{margin-left:8px;font-size:12px;color:var(--ink3)}
.msg{color:var(--ink2)}.null{color:var(--ink3)}
.none{color:var(--ink3);font-size:14px;margin:6px 0}
[hidden]{display:none!important}
@media(max-width:760px){.bar{flex-wrap:wrap;padding:10px 16px;gap:10px 16px}.find{order:3;flex-basis:100%;max-width:none}.json{margin-left:auto}.page{display:block;padding:0 16px 60px}nav{position:static;display:flex;overflow-x:auto;padding:12px 0 4px;max-height:none}nav a{flex:none}.s{flex-basis:100%;order:4}html{scroll-padding-top:120px}td.f{padding-left:calc(12px + var(--d,0)*12px)}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;

/** Search while typing, '/' to focus it; the call named in the URL's hash is opened. */
export const script = `
(() => {
  const field = document.getElementById('q');
  const none = document.getElementById('none');
  const calls = [...document.querySelectorAll('.op')];
  const groups = [...document.querySelectorAll('.group')];
  const apply = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const call of calls) {
      const fits = words.every((word) => call.dataset.q.includes(word));
      call.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('.op:not([hidden])');
    none.hidden = shown > 0;
  };
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches('.op')) {
      target.hidden = false;
      target.open = true;
      target.scrollIntoView();
    }
  };
  field.addEventListener('input', apply);
  addEventListener('hashchange', open);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
  for (const call of calls)
    call.addEventListener('toggle', () => {
      if (call.open) history.replaceState(null, '', '#' + call.id);
    });
  apply();
  open();
})();
`;
