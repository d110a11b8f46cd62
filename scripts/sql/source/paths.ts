/** Where destructured names come from. */
import { ts } from 'ts-morph';

/** From a destructured name to the parameter or variable that is taken apart, and the way there. */
export function pathOf(element: ts.BindingElement): {
  root: ts.ParameterDeclaration | ts.VariableDeclaration;
  path: (string | number)[];
} {
  const pattern = element.parent;
  const key = ts.isArrayBindingPattern(pattern)
    ? pattern.elements.indexOf(element)
    : (element.propertyName ?? element.name).getText();
  const owner = pattern.parent;
  if (!ts.isBindingElement(owner)) return { root: owner, path: [key] };
  const outer = pathOf(owner);
  return { root: outer.root, path: [...outer.path, key] };
}
