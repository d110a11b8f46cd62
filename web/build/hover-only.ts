import { AtRule, type Plugin, type Rule } from 'postcss';

const isHover = (selector: string): boolean => /:hover\b/.test(selector);

/** Whether a rule already applies only to screens with or without a pointer. */
function isAsked(rule: Rule): boolean {
  for (let at = rule.parent; at; at = at.parent as typeof at)
    if (at.type === 'atrule' && /\bhover\b/.test((at as AtRule).params)) return true;
  return rule.some((child) => child.type === 'atrule' && /\bhover\b/.test(child.params));
}

/**
 * Limits `:hover` rules to pointers that can hover. On a touch screen the last touched element stays hovered, as if it were selected.
 * A rule that also applies to touch is written in `@media (hover: none)`.
 */
export function hoverOnly(): Plugin {
  return {
    postcssPlugin: 'hover-only',
    OnceExit(root) {
      root.walkRules(/:hover\b/, (rule) => {
        if (isAsked(rule)) return;
        const others = rule.selectors.filter((selector) => !isHover(selector));
        const hovered = rule.clone({ selectors: rule.selectors.filter(isHover) });
        const media = new AtRule({ name: 'media', params: '(hover: hover)', nodes: [hovered] });
        if (others.length === 0) rule.replaceWith(media);
        else {
          rule.selectors = others;
          rule.after(media);
        }
      });
    },
  };
}
