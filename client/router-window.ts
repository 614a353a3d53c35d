/** The object with functions that keep working when called on the proxy, and with some other properties. */
const withProperties = <T extends object>(target: T, properties: { [K in keyof T]?: () => T[K] }): T =>
  new Proxy(target, {
    get(_, name) {
      const own = properties[name as keyof T];
      if (own) return own();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/**
 * The window as the router gets it. An entry without a state counts as the first: the router would number it by
 * `replaceState`, after which browsers no longer know which form the page has answered, and do not offer to send it again.
 */
export function routerWindow(): Window {
  const history = withProperties(window.history, {
    state: () => (window.history.state as unknown) ?? { idx: 0 },
  });
  return withProperties<Window>(window, { history: () => history });
}
