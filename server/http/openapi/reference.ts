import type { JsonObject } from './openapi-schema.ts';
import { script, style } from './reference-assets.ts';
import { escapeHtml, fieldRows, listOf, objectOf, plain, schemaRows, table, textOf } from './reference-schema.ts';

interface Operation {
  method: string;
  path: string;
  id: string;
  spec: JsonObject;
}

const ACCESS: Record<string, string> = { public: '公开', login: '需登录', staff: '后台', key: '密钥' };

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(objectOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, spec]) => ({
      method: method.toUpperCase(),
      path,
      id: `${method}-${path.replace(/^\/api\//, '').replace(/[^\w]+/g, '-')}`,
      spec: objectOf(spec),
    })),
  );
}

function resolve(document: JsonObject, value: JsonObject): JsonObject {
  const path = textOf(value.$ref).split('/').slice(1);
  return path.length === 0 ? value : path.reduce((at, key) => objectOf(at[key]), document);
}

const jsonContent = (holder: JsonObject, type: string): JsonObject =>
  objectOf(objectOf(objectOf(holder.content)[type]).schema);

function parameterRows(document: JsonObject, op: Operation): string {
  return listOf(op.spec.parameters)
    .map((p) => resolve(document, objectOf(p)))
    .map((p) => {
      const schema =
        Object.keys(objectOf(p.schema)).length > 0 ? objectOf(p.schema) : jsonContent(p, 'application/json');
      const where = p.in === 'header' ? '请求头' : p.in === 'path' ? '路径' : '';
      const description = [where, textOf(p.description), textOf(schema.description)].filter((t) => t !== '').join('，');
      return schemaRows(textOf(p.name), description === '' ? schema : { ...schema, description }, p.required === true);
    })
    .join('');
}

function bodyPart(op: Operation): string {
  const body = objectOf(op.spec.requestBody);
  if (Object.keys(objectOf(body.content)).length === 0) return '';
  const form = jsonContent(body, 'application/x-www-form-urlencoded');
  const file = jsonContent(body, 'multipart/form-data');
  const isFile = Object.keys(file).length > 0;
  const title = isFile ? '正文（multipart/form-data）' : '正文（表单或 JSON）';
  return `<h4>${title}</h4>${table(fieldRows(isFile ? file : form), '没有字段')}`;
}

function responsePart(op: Operation): string {
  const ok = objectOf(objectOf(op.spec.responses)['200']);
  const data = objectOf(objectOf(jsonContent(ok, 'application/json').properties).data);
  return `<h4>返回 data</h4>${table(fieldRows(data), '没有内容，code 为 0 即成功')}`;
}

function operationHtml(document: JsonObject, op: Operation): string {
  const access = textOf(op.spec['x-auth']);
  const summary = textOf(op.spec.summary);
  const badges = [
    `<span class="acc ${escapeHtml(access)}">${ACCESS[access] ?? ''}</span>`,
    op.spec['x-idempotent'] === true ? '<span class="mark">可安全重试</span>' : '',
  ].join('');
  const search = `${op.path} ${summary}`.toLowerCase();
  return `<details class="op" id="${op.id}" data-q="${escapeHtml(search)}"><summary><span class="m ${op.method.toLowerCase()}">${op.method}</span><code class="p">${escapeHtml(
    op.path,
  )}</code><span class="s">${escapeHtml(summary)}</span>${badges}</summary><div class="in"><h4>参数</h4>${table(
    parameterRows(document, op),
    '没有参数',
  )}${bodyPart(op)}${responsePart(op)}</div></details>`;
}

function groupHtml(document: JsonObject, tag: JsonObject, operations: readonly Operation[]): string {
  const title = textOf(tag.name);
  const own = operations.filter((op) => listOf(op.spec.tags).includes(title));
  return `<section class="group" id="g-${escapeHtml(textOf(tag['x-name']))}"><h2>${escapeHtml(title)}<small>${own.length} 个接口</small></h2>${own
    .map((op) => operationHtml(document, op))
    .join('')}</section>`;
}

function codesHtml(document: JsonObject): string {
  const rows = listOf(document['x-error-codes'])
    .map(objectOf)
    .map(
      (row) =>
        `<tr><td class="n">${escapeHtml(plain(row.code))}</td><td class="n">${escapeHtml(plain(row.status))}</td><td><code>${escapeHtml(
          textOf(row.name),
        )}</code></td><td>${escapeHtml(textOf(row.text))}</td></tr>`,
    )
    .join('');
  return `<section class="codes" id="codes"><h2>错误码<small>msg 可以直接显示</small></h2><div class="scroll"><table><thead><tr><th>code</th><th>HTTP</th><th>名称</th><th>msg</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function credentialsHtml(document: JsonObject): string {
  const schemes = Object.entries(objectOf(objectOf(document.components).securitySchemes))
    .map(([, s]) => objectOf(s))
    .map(
      (s) =>
        `<tr><td><code>${escapeHtml(s.type === 'http' ? 'Authorization: Bearer' : textOf(s.name))}</code></td><td class="t">${s.in === 'cookie' ? 'Cookie' : '请求头'}</td><td>${escapeHtml(textOf(s.description))}</td></tr>`,
    )
    .join('');
  return `<section id="auth"><h2>登录凭据</h2><div class="scroll"><table><tbody>${schemes}</tbody></table></div></section>`;
}

/** The reference page: one file, readable without its script. */
export function referenceHtml(
  document: JsonObject,
  { nonce, documentUrl }: { nonce: string; documentUrl: string },
): string {
  const info = objectOf(document.info);
  const title = escapeHtml(textOf(info.title));
  const operations = operationsOf(document);
  const tags = listOf(document.tags).map(objectOf);
  const nav = tags
    .map((tag) => `<a href="#g-${escapeHtml(textOf(tag['x-name']))}">${escapeHtml(textOf(tag.name))}</a>`)
    .join('');
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style nonce="${escapeHtml(nonce)}">${style}</style></head>
<body><header><div class="bar"><a class="brand" href="#top">${title}<small>${escapeHtml(textOf(info.version))}</small></a><label class="find"><span class="vh">搜索接口</span><input id="q" type="search" placeholder="搜索路径或说明，按 / 聚焦" autocomplete="off"></label><a class="json" href="${escapeHtml(documentUrl)}">OpenAPI</a></div></header>
<div class="page" id="top"><nav aria-label="分组">${nav}<a href="#auth">登录凭据</a><a href="#codes">错误码</a></nav>
<main><p class="lead">${escapeHtml(textOf(info.description))}</p><p id="none" class="none" hidden>没有匹配的接口，换个词试试</p>${tags
    .map((tag) => groupHtml(document, tag, operations))
    .join('')}${credentialsHtml(document)}${codesHtml(document)}</main></div>
<script nonce="${escapeHtml(nonce)}">${script}</script></body></html>`;
}
