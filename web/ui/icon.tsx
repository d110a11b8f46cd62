import type { ReactElement, SVGProps } from 'react';

/**
 * A component for a picture of lucide-react, which replaces the library's own in the build (web/build/plain-icons.ts): the library's icons
 * of a page are as many React elements as the rest of it, and their names, keys and settings are a tenth of what every page loads. An icon
 * without a label is hidden from screen readers.
 *
 * @param shapes the elements of the picture, as markup
 */
export function iconOf(shapes: string): (props: SVGProps<SVGSVGElement>) => ReactElement {
  return function Icon({ strokeWidth = 2, ...rest }) {
    return (
      <svg
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={rest['aria-label'] ? undefined : true}
        {...rest}
        dangerouslySetInnerHTML={{ __html: shapes }}
      />
    );
  };
}
