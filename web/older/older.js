/*
 * What browsers from the floor (docs/BROWSERS.md) to Chromium 119, Safari 17.3 and Firefox 124 lack: built-in functions and popovers. The
 * script in the head (`web/head/load-older.ts`) loads this file only where something is missing, and the page's scripts wait for it. Below the floor the page's
 * scripts never start: the server's page stays readable, and a message names suitable browsers.
 *
 * A classic script without a build step, so it is written in syntax that every browser reads. `older.d.ts` declares what it adds.
 */
(function (w, d) {
  'use strict';

  function fill(target, name, value) {
    if (!(name in target))
      Object.defineProperty(target, name, { value: value, writable: true, configurable: true, enumerable: false });
  }

  function fillArrays() {
    fill(Array.prototype, 'toSorted', function (compare) {
      return Array.from(this).sort(compare);
    });
    fill(Array.prototype, 'toReversed', function () {
      return Array.from(this).reverse();
    });
    fill(Array.prototype, 'toSpliced', function () {
      var copy = Array.from(this);
      copy.splice.apply(copy, arguments);
      return copy;
    });
    fill(Array.prototype, 'with', function (index, value) {
      var copy = Array.from(this);
      var at = Math.trunc(index) || 0;
      if (at < 0) at += copy.length;
      if (at < 0 || at >= copy.length) throw new RangeError('Invalid index');
      copy[at] = value;
      return copy;
    });
    fill(Array.prototype, 'findLast', function (isWanted, thisArg) {
      for (var i = this.length - 1; i >= 0; i--) if (isWanted.call(thisArg, this[i], i, this)) return this[i];
      return undefined;
    });
    fill(Array.prototype, 'findLastIndex', function (isWanted, thisArg) {
      for (var i = this.length - 1; i >= 0; i--) if (isWanted.call(thisArg, this[i], i, this)) return i;
      return -1;
    });
  }

  function fillGroups() {
    fill(Map, 'groupBy', function (items, keyOf) {
      var groups = new Map();
      var i = 0;
      Array.from(items).forEach(function (item) {
        var key = keyOf(item, i++);
        if (groups.has(key)) groups.get(key).push(item);
        else groups.set(key, [item]);
      });
      return groups;
    });
    fill(Object, 'groupBy', function (items, keyOf) {
      var groups = Object.create(null);
      Map.groupBy(items, function (item, i) {
        var key = keyOf(item, i);
        return typeof key === 'symbol' ? key : String(key);
      }).forEach(function (group, key) {
        groups[key] = group;
      });
      return groups;
    });
  }

  var LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/;

  function fillTexts() {
    fill(String.prototype, 'isWellFormed', function () {
      return !LONE.test(String(this));
    });
    // Below Chromium 113, Safari 17 and Firefox 112 an address with a query would be taken for one without.
    if (!('size' in URLSearchParams.prototype))
      Object.defineProperty(URLSearchParams.prototype, 'size', {
        configurable: true,
        enumerable: true,
        get: function () {
          return Array.from(this).length;
        },
      });
    fill(URL, 'canParse', function (url, base) {
      try {
        return Boolean(base === undefined ? new URL(url) : new URL(url, base));
      } catch (error) {
        return !error;
      }
    });
  }

  /**
   * Popovers without the top layer: an attribute shows them (web/styles/base/base.css), and a high z-index puts them above the page. Over an open modal
   * dialog a manual popover, such as the toasts, is shown by a copy inside the dialog.
   */
  var OPEN = 'data-popover-open';
  /** Open panels that close on Escape and on a click outside, in opening order: `{ panel, button }`. */
  var opened = [];

  function tell(panel, newState) {
    var event = new Event('toggle');
    event.newState = newState;
    event.oldState = newState === 'open' ? 'closed' : 'open';
    panel.dispatchEvent(event);
  }

  /** The modal dialog above all others. */
  function topDialog() {
    var all = d.querySelectorAll('dialog:modal');
    return all[all.length - 1];
  }

  /** Copies of the open manual panels: only content of a modal dialog can be above it. */
  var COPY = 'data-popover-copy';

  function dropCopies() {
    Array.from(d.querySelectorAll('[' + COPY + ']')).forEach(function (copy) {
      copy.remove();
    });
  }

  function copyIntoDialog() {
    dropCopies();
    var dialog = topDialog();
    if (!dialog) return;
    Array.from(d.querySelectorAll('[popover=manual][' + OPEN + ']')).forEach(function (panel) {
      if (dialog.contains(panel)) return;
      var copy = panel.cloneNode(true);
      copy.removeAttribute('id');
      copy.setAttribute(COPY, '');
      dialog.appendChild(copy);
    });
  }

  function hide(panel) {
    if (!panel.hasAttribute(OPEN)) return;
    var own = opened.find(function (one) {
      return one.panel === panel;
    });
    if (own && own.button && panel.contains(d.activeElement)) own.button.focus();
    panel.removeAttribute(OPEN);
    opened = opened.filter(function (one) {
      return one.panel !== panel;
    });
    if (panel.getAttribute('popover') === 'manual') dropCopies();
    tell(panel, 'closed');
  }

  /** Closes the panels that do not contain the element, last opened first. */
  function hideOutside(element) {
    opened
      .slice()
      .reverse()
      .forEach(function (one) {
        var isInside = one.panel.contains(element) || Boolean(one.button && one.button.contains(element));
        if (!isInside) hide(one.panel);
      });
  }

  function show(panel, button) {
    if (panel.hasAttribute(OPEN)) return;
    if (panel.getAttribute('popover') !== 'manual') {
      hideOutside(button || panel);
      opened.push({ panel: panel, button: button });
    }
    panel.setAttribute(OPEN, '');
    if (panel.getAttribute('popover') === 'manual') copyIntoDialog();
    tell(panel, 'open');
  }

  function toggle(panel, button) {
    if (panel.hasAttribute(OPEN)) hide(panel);
    else show(panel, button);
    return panel.hasAttribute(OPEN);
  }

  /** The same text with the attribute in place of the pseudo-class, which the browser rejects. */
  function plain(selector) {
    return String(selector).replace(/:popover-open/g, '[' + OPEN + ']');
  }

  function wrapSelectors(proto, names) {
    names.forEach(function (name) {
      var own = proto[name];
      proto[name] = function (selector) {
        return own.call(this, plain(selector));
      };
    });
  }

  function addPopovers() {
    var proto = HTMLElement.prototype;
    if ('popover' in proto) return;
    Object.defineProperty(proto, 'popover', {
      configurable: true,
      enumerable: true,
      get: function () {
        return this.getAttribute('popover');
      },
      set: function (value) {
        if (value === null || value === undefined) this.removeAttribute('popover');
        else this.setAttribute('popover', value);
      },
    });
    fill(proto, 'showPopover', function () {
      show(this);
    });
    fill(proto, 'hidePopover', function () {
      hide(this);
    });
    fill(proto, 'togglePopover', function () {
      return toggle(this);
    });
    var dialog = HTMLDialogElement.prototype;
    var original = Object.getOwnPropertyDescriptor(dialog, 'showModal').value;
    dialog.showModal = function () {
      original.call(this);
      copyIntoDialog();
    };
    wrapSelectors(Element.prototype, ['matches', 'closest', 'querySelector', 'querySelectorAll']);
    wrapSelectors(Document.prototype, ['querySelector', 'querySelectorAll']);
    // After the page's own listeners, which may prevent the default.
    w.addEventListener('click', function (event) {
      var button = event.target.closest && event.target.closest('[popovertarget]');
      var panel = button && !button.disabled && d.getElementById(button.getAttribute('popovertarget'));
      if (panel && !event.defaultPrevented) toggle(panel, button);
    });
    w.addEventListener(
      'pointerdown',
      function (event) {
        hideOutside(event.target);
      },
      true,
    );
    w.addEventListener(
      'keydown',
      function (event) {
        opened = opened.filter(function (one) {
          return one.panel.isConnected;
        });
        var top = opened[opened.length - 1];
        if (event.key !== 'Escape' || !top || event.isComposing || event.keyCode === 229) return;
        event.preventDefault();
        event.stopPropagation();
        hide(top.panel);
      },
      true,
    );
  }

  /** Chromium 109, Safari 16.4 and Firefox 121 are the first with both. */
  function isAboveFloor() {
    return Boolean(w.CSS && CSS.supports && CSS.supports('width', '1lh') && CSS.supports('selector(:has(a))'));
  }

  function showNotice() {
    var line = d.createElement('p');
    line.id = 'old-browser';
    line.setAttribute('role', 'status');
    line.style.cssText = 'margin:0;padding:8px 16px;background:#fff4d6;color:#5c4300;font-size:14px;text-align:center';
    line.textContent =
      '您的浏览器版本过低：页面可以阅读，登录、下单等功能无法使用。请改用 Chrome、Edge 109 以上，Safari 16.4 以上，Firefox 121 以上，或新版 360、QQ 浏览器。';
    d.body.insertBefore(line, d.body.firstChild);
  }

  if (!isAboveFloor()) {
    if (d.body && d.readyState !== 'loading') showNotice();
    else d.addEventListener('DOMContentLoaded', showNotice);
    return;
  }
  fillArrays();
  fillGroups();
  fillTexts();
  addPopovers();
  // The page's scripts may begin (web/head/start-scripts.ts).
  w.olderWait = false;
  d.dispatchEvent(new Event('styled'));
})(window, document);
