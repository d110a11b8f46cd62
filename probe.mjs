const B='http://localhost:4120';
const form=await (await fetch(B+'/api/evaluation/form?gameId=2')).json();
console.log(form.data.fields.map(f=>f.key+(f.required?'*':'')+':'+f.kind).join(' '));
const home=await fetch(B+'/gj-wzry');const cookie=home.headers.getSetCookie().map(c=>c.split(';')[0]).join('; ');const csrf=/csrfToken=([^;]+)/.exec(cookie)?.[1]??'';
async function ev(details,areaId){const body=new URLSearchParams({gameId:'2',details:JSON.stringify(details),preview:'1',...(areaId?{areaId}:{})});
 const r=await (await fetch(B+'/api/evaluation',{method:'POST',body,headers:{cookie,'x-csrf-token':csrf,'content-type':'application/x-www-form-urlencoded'}})).json(); if(r.code) {console.log(r.code,r.msg);return;} console.log(JSON.stringify(details).length,'typ',r.data.typical,'low',r.data.low,'floor',r.data.recycleFloor);}
let d={}; await ev(d);
const steps={skin_count:328,rank:8,hero_count:112,noble_level:9};
const all={...steps};
for(const [k,v] of Object.entries(steps)){d={...d,[k]:v};console.log(k);await ev(d);}
for(const f of form.data.fields){ if(d[f.key]!==undefined)continue; const v=f.kind==='bool'?true:f.kind==='single'?f.options[0].v:f.kind==='range'?Math.round(((f.typical?.[0])??f.min??0)+5):f.kind==='multi'?f.options.slice(0,2).map(o=>o.v):null; if(v===null)continue; d={...d,[f.key]:v}; console.log(f.key,JSON.stringify(v)); await ev(d);}
